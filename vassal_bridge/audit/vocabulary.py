"""Words of the chat window, per phase and topic, in the languages VASL players use.

Regular expressions, two spaces or a new line apart, matched without regard to case. They are hints
only (`phase`): a word that is missing here costs an audit nothing but a hint.
"""

from __future__ import annotations

PHASE_WORDS: tuple[str, ...] = (
    # RPh
    r"""
    \bRPh\b  rally phase  sammelphase  phase de ralliement  fase de (reagrup|recup)
    fase di (recupero|riordino)  фаза (сбора|ралли|сплочения)  faza zbi  重整阶段  集结阶段
    ラリーフェイズ  回復フェイズ
    """,
    # PFPh
    r"""
    \bPFPh\b  \bprep(aration|aratory)?[ -]?fire  \bprep\b  vorbereitungsfeuer  vorbeschuss
    tirs? (pr[ée]paratoires?|de pr[ée]paration)  fuego (de preparaci[oó]n|preparatorio)
    fuoco (di preparazione|preparatorio)  подготовительн\w* ог  准备射击  準備射撃
    """,
    # MPh
    r"""
    \bMPh\b  movement phase  bewegungsphase  phase de mouvement  fase de movimiento
    fase di movimento  фаза движени  faza ruchu  移动阶段  移動フェイズ
    \b(my|mein|ma|mi|last) (moves?|bewegung|mouvement|movimient\w|moviment\w)\b
    """,
    # DFPh
    r"""
    \bDFPh\b  \bdef(ensive)?[ -]?fire  abwehrfeuer  defensivfeuer  tirs? d[ée]fensifs?
    fuego defensivo  fuoco difensivo  оборонительн\w* ог  防御射击  防御射撃  \byour shots?\b
    """,
    # AFPh
    r"""
    \bAFPh\b  \badv(ancing|ance)?[ -]?fire  vorr[uü]e?ckfeuer  vormarschfeuer
    tirs? (en avan[cç]ant|de progression|d'avance)  fuego (de avance|avanzando)
    fuoco (d'avanzata|in avanzata)  наступательн\w* ог  前进射击  推进射击  前進射撃
    """,
    # RtPh
    r"""
    \bRt[ -]?Ph\b  \bRtP\b  \brout(s|ing|ed|et|en|phase)?\b  fluchtphase
    \bflie(h|he|hen|ht)\b  \bflucht\b  d[ée]route  \bd[ée]bandade  desbandada  \bhuida\b
    \bhuye  \brotta\b  \bfuga\b  бегств  \bбе(жит|гут|жать)\b  \bрут  паническ  ucieczk
    \buciek  溃退  潰走  潰退  溃逃  ルートフェイズ
    """,
    # APh
    r"""
    \bAPh\b  \badvanc(e|es|ing|ed)\b(?! ?fire)  \badv\b\.?(?! ?fire)  vorr[uü]e?ck(en|t|phase)
    vormarsch(?!feuer)  phase d'avance  \bavance[sz]?\b  \bj'avance  \bavanz(o|a|amos|ata)\b
    продвижени  наступлени  faza natarcia  前进阶段  推进阶段  突进  前進フェイズ
    """,
    # CCPh
    r"""
    \bCC(Ph)?\b  close combat  nahkampf  corps [àa] corps  cuerpo a cuerpo  corpo a corpo
    рукопашн  walka wr[eę]cz  近战  白刃战  白兵戦
    """,
)
"""In the order of `words.PHASES`."""

TALK_WORDS: dict[str, str] = {
    "crawl": r"""
    \blow[ -]?crawl  \bcrawl  \bLC\b  kriech  kriecht  \brobb(t|en)\b
    \bramp(e|er|ant|ement)\b  arrastr  \brepta  strisci  пол[зс]  czo[lł]ga  \bkryper\b  匍匐
    爬行  ロークロール
    """,
    "correction": r"""
    \bcorrect(s|ed|ing|ion)?\b  \bmistake  \bwrong\b  \bshould (be|have been|have gone)\b
    \bhad to take\b  \bmeant\b  \bmis(click|drop|place|drag)
    \bput(s|ting)? (it|him|them|that) (back|there|right)\b
    \bmove (it|him|them) (back|there)\b  \bmoving (it|him|them) back\b
    \btak(e|ing) (it|that|this) back\b  \bundo\b  \bfix(ed|es|ing)?\b  korrektur  korrig
    \bfalsch  versehen  irrtum  \bvertan\b  zur[uü]e?ck(gestellt|gesetzt|setzen|stellen)
    \berreur  corrig  aurait d[uû]  tromp[ée]  \berror\b  corri[gj]  equivoc  deb[ií]a estar
    \berrore  corregg  sbagli  ошиб  исправ  поправл  не туда  b[lł][aą]d  popraw  pomy[lł]k
    更正  纠正  弄错  放错  摆错  訂正  間違  修正
    """,
    "slip": r"""
    \bo+ps\b  \bwo+ps\b  \bsorry\b  \bmy bad\b  entschuldig  \boups\b  d[ée]sol[ée]
    \bpardon\b  perd[oó]n  \bscusa  извин  прости  przepraszam  抱歉  对不起  すみません  ごめん
    """,
    "reroll": r"""
    \bre-?roll  \broll(ed|s|ing)? (it |that )?again  \b(n?mc|dice|dr|roll) again\b
    wrong (dice|button|roll|window)  \bignore (that|the) (roll|dice|dr)\b
    falscher? (w[uü]e?rf\w*|knopf)  nochmal w[uü]e?rf  w[uü]e?rf\w* (nochmal|noch einmal)
    mauvais (bouton|d[ée])  relanc  bot[oó]n equivocado  tirar de nuevo  \brilanci  ritir[ao]
    переброс  кубики заново  не та кнопка  rzu(t|cam) jeszcze raz  重掷  重新掷  振り直
    """,
    "check": r"""
    interdict  \bNMC\b  \bMC\b  morale check  moral(e)?(probe|test|wurf)  test de moral
    interdi[czt]  \bprueba de moral  перехват  заград  прострел  проверк  阻截  士气检定  妨害  士気
    """,
    "passed": r"""
    \bpass(es|ed)\b  \bmade it\b  \bsurvive[sd]?\b  besteht  bestanden  r[ée]ussi  \bpasse\b
    \bpasa(do)?\b  supera(to|ta)?\b  \bпро(шел|шёл|шли|ходит|йден)  zdan[ye]  \bzdaje\b  通过  成功
    """,
    "pinned": r"""
    \bpin(s|ned)?\b  gepinnt  festgenagelt  clou[ée]  inmoviliz  inchiodat  прижат  压制  釘付
    """,
    "gone": r"""
    eliminat  \bdies\b  \bdead\b  \bgone\b  \bboxcars\b  \bKIA\b  \bCR\b  vernichtet
    ausgeschaltet  eliminiert  \btot\b  [ée]limin[ée]  \bmuert  \belimina  уничтож  погиб  消灭
    除去
    """,
    "fails-to-rout": r"""
    \bfail(s|ed|ure|ing)? to rout  nowhere to (go|rout)  \b(can ?not|can't|cannot) rout
    kann nicht (fliehen|routen)  ne peut pas (router|fuir|d[ée]router)
    no puede (huir|routear)  non pu[oò] (fuggire|andare in rotta)
    не может (бежать|отступ|рут)  无法溃退  不能溃退
    """,
    "nobody": r"""
    \bnobody\b  \bno[ -]one\b  \bnone\b  \bnothing\b  \bno routs?\b  \bpass\b  \bkeine[rn]?\b
    niemand  \brien\b  \bpersonne\b  \bnadie\b  ning[uú]n  \bnessun  никого  \bнет\b  нечего
    没有  无人
    """,
    "done": r"""
    \bdone\b  \bfinished\b  \bthat'?s (all|it)\b  \bthat is all\b  \bfertig\b  \bdas war'?s\b
    \bfini[es]?\b  \btermin[ée]  \blisto\b  \bterminado\b  \bfinito\b  \bfatto\b  \bho finito\b
    готово  закончил  \bвс[её]\b  \bgotowe\b  \bkoniec\b  好了  结束  完了  終わ
    """,
    "yours": r"""
    \byours\b  \byour (turn|go|routs?|move)\b  over to you  back to you
    \byou (rout|go|first|next)\b  \bdu (zuerst|bist)\b  \bdein  [àa] toi\b  \bte toca\b
    tocca a te  тво[йяе]\b  твоя очередь  轮到你  你的回合
    """,
}
"""By topic (`words.Talk`)."""
