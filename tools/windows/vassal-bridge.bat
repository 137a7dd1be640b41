@echo off
rem Starts vassal-bridge on Windows with a double click; installs it for this user the first time.
rem
rem   vassal-bridge.bat                  watches the folder of your saved games
rem   vassal-bridge.bat demo             any other command of vassal-bridge
rem   a .vsav or .vlog dropped on it     reports on that file and opens the page
rem
rem It needs Python 3.11 or newer (python.org or the Microsoft Store) and changes nothing outside
rem %LOCALAPPDATA%\vassal-bridge.
setlocal EnableExtensions
set "HOME_DIR=%LOCALAPPDATA%\vassal-bridge"
set "PYTHON=%HOME_DIR%\venv\Scripts\python.exe"
set "PYTHONUTF8=1"

if not exist "%PYTHON%" call :install || goto :failed
"%PYTHON%" -c "import vassal_bridge" 2>nul || call :install || goto :failed

if "%~1"=="" goto :watch
if /i "%~x1"==".vsav" goto :file
if /i "%~x1"==".vlog" goto :file
if /i "%~x1"==".zip" goto :file
"%PYTHON%" -m vassal_bridge %*
exit /b %ERRORLEVEL%

:watch
echo Watching your saved games. Close this window, or press Ctrl-C, to stop.
"%PYTHON%" -m vassal_bridge doctor
"%PYTHON%" -m vassal_bridge watch
goto :end

:file
"%PYTHON%" -m vassal_bridge report "%~1" --format html --out "%~dp1rout"
if errorlevel 2 goto :end
start "" "%~dp1rout\%~n1.rout.html"
goto :end

:install
echo Installing vassal-bridge into "%HOME_DIR%" ...
set "BASE="
py -3 -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>nul && set "BASE=py -3"
if not defined BASE python -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>nul && set "BASE=python"
if not defined BASE (
  echo Python 3.11 or newer was not found. Get it from https://www.python.org/downloads/
  exit /b 1
)
%BASE% -m venv "%HOME_DIR%\venv" || exit /b 1
rem From the checkout this file lies in, or from a wheel beside this file.
set "SOURCE="
if exist "%~dp0..\..\pyproject.toml" set "SOURCE=%~dp0..\.."
for %%W in ("%~dp0vassal_bridge-*.whl") do set "SOURCE=%%~fW"
if not defined SOURCE (
  echo Put this file beside vassal_bridge-...-py3-none-any.whl, or run it inside the sources.
  exit /b 1
)
"%PYTHON%" -m pip install --upgrade "%SOURCE%"
exit /b %ERRORLEVEL%

:failed
echo vassal-bridge could not be installed; the lines above say why.
pause
exit /b 2

:end
set "CODE=%ERRORLEVEL%"
pause
exit /b %CODE%
