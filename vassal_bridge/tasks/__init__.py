"""What the commands do, between the command line and the rooms."""
