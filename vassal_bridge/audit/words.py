"""What players write in the chat window, as far as an audit needs it: hints, never proof.

Lists of words in the languages VASL players use, compiled once per kind. Hexes are found by their
printed name. Nothing else is read out of free text.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

PHASES = ("RPh", "PFPh", "MPh", "DFPh", "AFPh", "RtPh", "APh", "CCPh")
"""Phases of a player turn in order, as players abbreviate them (formats/files.md 9)."""
RALLY, PREP, MOVE, DEFENSIVE, ADVANCING, ROUT, ADVANCE, CLOSE = range(8)
"""Places of the phases in `PHASES`."""

_PHASE_WORDS: tuple[tuple[str, ...], ...] = (
    (  # rally
        r"\bRPh\b", r"rally phase", r"sammelphase", r"phase de ralliement", r"fase de (reagrup|recup)",
        r"fase di (recupero|riordino)", r"фаза (сбора|ралли|сплочения)", r"faza zbi", r"重整阶段", r"集结阶段",
        r"ラリーフェイズ", r"回復フェイズ",
    ),
    (  # prep fire
        r"\bPFPh\b", r"\bprep(aration|aratory)?[ -]?fire", r"\bprep\b", r"vorbereitungsfeuer", r"vorbeschuss",
        r"tirs? (pr[ée]paratoires?|de pr[ée]paration)", r"fuego (de preparaci[oó]n|preparatorio)",
        r"fuoco (di preparazione|preparatorio)", r"подготовительн\w* ог", r"准备射击", r"準備射撃",
    ),
    (  # movement
        r"\bMPh\b", r"movement phase", r"bewegungsphase", r"phase de mouvement", r"fase de movimiento",
        r"fase di movimento", r"фаза движени", r"faza ruchu", r"移动阶段", r"移動フェイズ",
        r"\b(my|mein|ma|mi|last) (moves?|bewegung|mouvement|movimient\w|moviment\w)\b",
    ),
    (  # defensive fire
        r"\bDFPh\b", r"\bdef(ensive)?[ -]?fire", r"abwehrfeuer", r"defensivfeuer", r"tirs? d[ée]fensifs?",
        r"fuego defensivo", r"fuoco difensivo", r"оборонительн\w* ог", r"防御射击", r"防御射撃",
        r"\byour shots?\b",
    ),
    (  # advancing fire
        r"\bAFPh\b", r"\badv(ancing|ance)?[ -]?fire", r"vorr[uü]e?ckfeuer", r"vormarschfeuer",
        r"tirs? (en avan[cç]ant|de progression|d'avance)", r"fuego (de avance|avanzando)",
        r"fuoco (d'avanzata|in avanzata)", r"наступательн\w* ог", r"前进射击", r"推进射击", r"前進射撃",
    ),
    (  # rout
        r"\bRt[ -]?Ph\b", r"\bRtP\b", r"\brout(s|ing|ed|et|en|phase|e|er)?\b", r"fluchtphase",
        r"\bflie(h|he|hen|ht)\b", r"\bflucht\b", r"d[ée]route", r"\bd[ée]bandade", r"desbandada",
        r"\bhuida\b", r"\bhuye", r"\brotta\b", r"\bfuga\b", r"бегств", r"\bбе(жит|гут|жать)\b",
        r"\bрут", r"паническ", r"ucieczk", r"\buciek", r"溃退", r"潰走", r"潰退", r"溃逃", r"ルートフェイズ",
    ),
    (  # advance
        r"\bAPh\b", r"\badvanc(e|es|ing|ed)\b(?! ?fire)", r"\badv\b\.?(?! ?fire)", r"vorr[uü]e?ck(en|t|phase)",
        r"vormarsch(?!feuer)", r"phase d'avance", r"\bavance[sz]?\b", r"\bj'avance", r"\bavanz(o|a|amos|ata)\b",
        r"продвижени", r"наступлени", r"faza natarcia", r"前进阶段", r"推进阶段", r"突进", r"前進フェイズ",
    ),
    (  # close combat
        r"\bCC(Ph)?\b", r"close combat", r"nahkampf", r"corps [àa] corps", r"cuerpo a cuerpo",
        r"corpo a corpo", r"рукопашн", r"walka wr[eę]cz", r"近战", r"白刃战", r"白兵戦",
    ),
)  # fmt: skip


class Talk(StrEnum):
    """What a line of chat is about, besides phases."""

    CRAWL = "crawl"
    """Low Crawl."""
    CORRECTION = "correction"
    """Something is put right or taken back."""
    SLIP = "slip"
    """A word of regret: a correction only if the move that follows looks like one."""
    CHECK = "check"
    """Interdiction or its NMC."""
    PINNED = "pinned"
    """A unit is pinned."""
    GONE = "gone"
    """A unit is eliminated."""
    FAILS = "fails-to-rout"
    """Failure to rout."""
    NOBODY = "nobody"
    """Somebody has nothing to do here."""
    YOURS = "yours"
    """The other player is to go on."""


_TALK_WORDS: dict[Talk, tuple[str, ...]] = {
    Talk.CRAWL: (
        r"\blow[ -]?crawl", r"\bcrawl", r"\bLC\b", r"kriech", r"kriecht", r"\brobb(t|en)\b", r"\bramp(e|er|ant|ement)\b",
        r"arrastr", r"\brepta", r"strisci", r"пол[зс]", r"czo[lł]ga", r"\bkryper\b", r"匍匐", r"爬行", r"ロークロール",
    ),
    Talk.CORRECTION: (
        r"\bcorrect(s|ed|ing|ion)?\b", r"\bmistake", r"\bwrong\b", r"\bshould (be|have been|have gone)\b",
        r"\bhad to take\b", r"\bmeant\b", r"\bmis(click|drop|place|drag)", r"\bput(s|ting)? (it|him|them|that) (back|there|right)\b",
        r"\bmove (it|him|them) (back|there)\b", r"\bmoving (it|him|them) back\b", r"\btak(e|ing) (it|that|this) back\b",
        r"\bundo\b", r"\bfix(ed|es|ing)?\b", r"korrektur", r"korrig", r"\bfalsch", r"versehen", r"irrtum",
        r"\bvertan\b", r"zur[uü]e?ck(gestellt|gesetzt|setzen|stellen)", r"\berreur", r"corrig", r"aurait d[uû]",
        r"tromp[ée]", r"\berror\b", r"corri[gj]", r"equivoc", r"deb[ií]a estar", r"\berrore", r"corregg", r"sbagli",
        r"ошиб", r"исправ", r"поправл", r"не туда", r"b[lł][aą]d", r"popraw", r"pomy[lł]k", r"更正", r"纠正", r"弄错", r"放错",
        r"摆错", r"訂正", r"間違", r"修正",
    ),
    Talk.SLIP: (
        r"\bo+ps\b", r"\bwo+ps\b", r"\bsorry\b", r"\bmy bad\b", r"entschuldig", r"\boups\b", r"d[ée]sol[ée]", r"\bpardon\b",
        r"perd[oó]n", r"\bscusa", r"извин", r"прости", r"przepraszam", r"抱歉", r"对不起", r"すみません", r"ごめん",
    ),
    Talk.CHECK: (
        r"interdict", r"\bNMC\b", r"\bMC\b", r"morale check", r"moral(e)?(probe|test|wurf)", r"test de moral", r"interdi[czt]",
        r"\bprueba de moral", r"перехват", r"заград", r"прострел", r"проверк", r"阻截", r"士气检定", r"妨害", r"士気",
    ),
    Talk.PINNED: (
        r"\bpin(s|ned)?\b", r"gepinnt", r"festgenagelt", r"clou[ée]", r"inmoviliz", r"inchiodat", r"прижат", r"压制", r"釘付",
    ),
    Talk.GONE: (
        r"eliminat", r"\bdies\b", r"\bdead\b", r"\bgone\b", r"\bboxcars\b", r"\bKIA\b", r"\bCR\b", r"vernichtet", r"ausgeschaltet",
        r"eliminiert", r"\btot\b", r"[ée]limin[ée]", r"\bmuert", r"\belimina", r"уничтож", r"погиб", r"消灭", r"除去",
    ),
    Talk.FAILS: (
        r"\bfail(s|ed|ure|ing)? to rout", r"nowhere to (go|rout)", r"\b(can ?not|can't|cannot) rout", r"kann nicht (fliehen|routen)",
        r"ne peut pas (router|fuir|d[ée]router)", r"no puede (huir|routear)", r"non pu[oò] (fuggire|andare in rotta)",
        r"не может (бежать|отступ|рут)", r"无法溃退", r"不能溃退",
    ),
    Talk.NOBODY: (
        r"\bnobody\b", r"\bno[ -]one\b", r"\bnone\b", r"\bnothing\b", r"\bno routs?\b", r"\bpass\b", r"\bkeine[rn]?\b", r"niemand",
        r"\brien\b", r"\bpersonne\b", r"\bnadie\b", r"ning[uú]n", r"\bnessun", r"никого", r"\bнет\b", r"нечего", r"没有", r"无人",
    ),
    Talk.YOURS: (
        r"\byours\b", r"\byour (turn|go|routs?|move)\b", r"over to you", r"back to you", r"\byou (rout|go|first|next)\b", r"\bdu (zuerst|bist)\b", r"\bdein",
        r"[àa] toi\b", r"\bte toca\b", r"tocca a te", r"тво[йяе]\b", r"твоя очередь", r"轮到你", r"你的回合",
    ),
}  # fmt: skip


def _joined(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


@lru_cache(maxsize=1)
def _phase_patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(_joined(words) for words in _PHASE_WORDS)


@lru_cache(maxsize=1)
def _talk_patterns() -> tuple[tuple[Talk, re.Pattern[str]], ...]:
    return tuple((talk, _joined(words)) for talk, words in _TALK_WORDS.items())


_MOST_TEXT = 2000
"""Characters of one chat line that are looked at."""
_DENIED = re.compile(r"\b(no|not|never|kein\w*|nicht|cannot|can'?t|sans|pas)\s+(low[ -]?)?crawl", re.I)
_HEX = re.compile(r"(?<![A-Za-z0-9])([A-Za-z0-9~]{0,10}?)([A-Za-z]{1,2})(\d{1,2})(?![A-Za-z0-9])")
_PRINTED = re.compile(r"([A-Z]{1,2}\d{1,2})$")


def phases_named(text: str) -> tuple[int, ...]:
    """Places in `PHASES` of the phases a line of talk names, in order of the turn.

    >>> [PHASES[place] for place in phases_named("done moving, your DFPh")]
    ['DFPh']
    >>> [PHASES[place] for place in phases_named("jetzt rout, du zuerst")]
    ['RtPh']
    """
    text = text[:_MOST_TEXT]
    found = [place for place, words in enumerate(_phase_patterns()) if words.search(text)]
    return tuple(found)


def leading_phase(text: str) -> int | None:
    """The phase whose name comes first in the text, if it begins it; else None.

    >>> PHASES[leading_phase("AFPh: O6 at N9")]
    'AFPh'
    >>> leading_phase("we could have an advance here") is None
    True
    """
    text = text[:_MOST_TEXT].strip()
    for place, words in enumerate(_phase_patterns()):
        match = words.search(text)
        if match is not None and not re.search(r"\w", text[: match.start()]):
            return place
    return None


def topics(text: str) -> frozenset[Talk]:
    """What a line of talk is about.

    >>> sorted(topics("N5 low crawls to M6"))
    [<Talk.CRAWL: 'crawl'>]
    """
    text = text[:_MOST_TEXT]
    found = {talk for talk, words in _talk_patterns() if words.search(text)}
    if Talk.CRAWL in found and _DENIED.search(text):
        found.discard(Talk.CRAWL)
    return frozenset(found)


def printed(hex_: str) -> str:
    """The name printed in a hex, without its board.

    >>> printed("zO5"), printed("04K3"), printed("yAA10")
    ('O5', 'K3', 'AA10')
    """
    match = _PRINTED.search(hex_)
    if match is None:
        return hex_
    # board "y" and column "AA": the longest column of equal letters is the column
    name = match.group(1)
    letters = name.rstrip("0123456789")
    if len(letters) == 2 and letters[0] != letters[1]:
        return name[1:]
    return name


def hexes_named(text: str) -> frozenset[str]:
    """Printed names of the hexes a line of talk mentions, capital letters.

    >>> sorted(hexes_named("By your SOP: DD4 to zEE5"))
    ['DD4', 'EE5']
    """
    found = set()
    for match in _HEX.finditer(text[:_MOST_TEXT]):
        letters = match.group(2).upper()
        if len(letters) == 2 and letters[0] != letters[1]:
            letters = letters[1]
        found.add(letters + match.group(3))
    return frozenset(found)


def mentions(text: str, hex_: str) -> bool:
    """Whether a line of talk names a hex, with or without its board."""
    return printed(hex_) in hexes_named(text)
