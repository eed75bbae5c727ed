"""Names of the months in many languages."""

from __future__ import annotations

# For each language twelve names apart by blanks; other forms of the same month follow after a slash. Abbreviations
# that are words of the language, or the month of another one, are not here.
_MONTHS = {
    "en": """january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept
        october/oct november/nov december/dec""",
    "de": """januar/jänner/jän februar/feber märz/mär/mrz april mai juni juli august/aug september/sept oktober/okt
        november dezember/dez""",
    "fr": """janvier/janv février/févr/fév mars avril/avr mai juin juillet/juil août/aout septembre/sept octobre
        novembre décembre/déc""",
    "es": """enero/ene febrero marzo abril/abr mayo junio julio agosto/ago septiembre/setiembre/set octubre noviembre
        diciembre/dic""",
    "it": """gennaio/gen febbraio/febbr marzo aprile maggio/mag giugno/giu luglio/lug agosto settembre/sett ottobre/ott
        novembre dicembre""",
    "pt": """janeiro fevereiro/fev março abril maio/mai junho julho agosto setembro outubro/out novembro
        dezembro/dez""",
    "ca": "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
    "gl": "xaneiro febreiro marzo abril maio xuño xullo agosto setembro outubro novembro decembro",
    "eu": "urtarrila otsaila martxoa apirila maiatza ekaina uztaila abuztua iraila urria azaroa abendua",
    "nl": """januari februari maart/mrt april mei juni juli augustus september oktober/okt november december""",
    "sv": "januari februari mars april maj juni juli augusti september oktober/okt november december",
    "da": "januar februar marts april maj juni juli august september oktober/okt november december",
    "no": "januar februar mars april mai juni juli august september oktober/okt november desember/des",
    "is": """janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember""",
    "fi": """tammikuuta/tammikuu/tammi helmikuuta/helmikuu/helmi maaliskuuta/maaliskuu/maalis huhtikuuta/huhtikuu/huhti
        toukokuuta/toukokuu/touko kesäkuuta/kesäkuu/kesä heinäkuuta/heinäkuu/heinä elokuuta/elokuu/elo
        syyskuuta/syyskuu/syys lokakuuta/lokakuu/loka marraskuuta/marraskuu/marras joulukuuta/joulukuu/joulu""",
    "et": "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember",
    "lv": """janvāris/janvārī/janvāra februāris/februārī/februāra marts/martā aprīlis/aprīlī/aprīļa maijs/maijā
        jūnijs/jūnijā jūlijs/jūlijā augusts/augustā septembris/septembrī/septembra oktobris/oktobrī/oktobra
        novembris/novembrī/novembra decembris/decembrī/decembra""",
    "lt": """sausio/sausis vasario/vasaris kovo/kovas balandžio/balandis gegužės/gegužė birželio/birželis liepos/liepa
        rugpjūčio/rugpjūtis rugsėjo/rugsėjis spalio/spalis lapkričio/lapkritis gruodžio/gruodis""",
    "pl": """stycznia/styczeń/sty lutego/luty/lut marca/marzec kwietnia/kwiecień/kwi maja czerwca/czerwiec/cze
        lipca/lipiec/lip sierpnia/sierpień/sie września/wrzesień/wrz października/październik/paź listopada/listopad/lis
        grudnia/grudzień/gru""",
    "cs": """ledna/leden února/únor března/březen dubna/duben května/květen června/červen července/červenec srpna/srpen
        září října/říjen listopadu/listopad prosince/prosinec""",
    "sk": """januára február/februára marca/marec apríla/apríl mája/máj júna/jún júla/júl augusta september/septembra
        október/októbra november/novembra december/decembra""",
    "hu": """január február március/márc április/ápr május/máj június/jún július/júl augusztus szeptember/szept október
        november december""",
    "ro": """ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie""",
    "hr": """siječnja/siječanj veljače/veljača ožujka/ožujak travnja/travanj svibnja/svibanj lipnja/lipanj
        srpnja/srpanj kolovoza/kolovoz rujna/rujan listopada/listopad studenoga/studenog/studeni prosinca/prosinac""",
    "sl": """januarja februarja marca aprila maja junija julija avgusta septembra oktobra novembra decembra""",
    "sr": """јануар/јануара фебруар/фебруара март/марта април/априла мај/маја јун/јуна јул/јула август/августа
        септембар/септембра октобар/октобра новембар/новембра децембар/децембра""",
    "sr-latn": "januar/januara februar/februara mart/marta april/aprila maj/maja jun/juna jul/jula avgust/avgusta "
    "septembar/septembra oktobar/oktobra novembar/novembra decembar/decembra",
    "sq": "janar shkurt mars prill maj qershor korrik gusht shtator tetor nëntor dhjetor",
    "ru": """января/январь/янв февраля/февраль/фев марта/март/мар апреля/апрель/апр мая/май июня/июнь/июн
        июля/июль/июл августа/август/авг сентября/сентябрь/сен/сент октября/октябрь/окт ноября/ноябрь/ноя/нояб
        декабря/декабрь/дек""",
    "uk": """січня/січень лютого/лютий березня/березень квітня/квітень травня/травень червня/червень липня/липень
        серпня/серпень вересня/вересень жовтня/жовтень листопада/листопад грудня/грудень""",
    "be": """студзеня лютага сакавіка красавіка мая чэрвеня ліпеня жніўня верасня кастрычніка лістапада снежня""",
    "bg": "януари февруари март април май юни юли август септември октомври ноември декември",
    "mk": "јануари февруари март април мај јуни јули август септември октомври ноември декември",
    "el": """ιανουαρίου/ιανουάριος/ιαν φεβρουαρίου/φεβρουάριος/φεβ μαρτίου/μάρτιος/μαρ απριλίου/απρίλιος/απρ
        μαΐου/μάιος/μαΐ ιουνίου/ιούνιος/ιουν ιουλίου/ιούλιος/ιουλ αυγούστου/αύγουστος/αυγ σεπτεμβρίου/σεπτέμβριος/σεπ
        οκτωβρίου/οκτώβριος/οκτ νοεμβρίου/νοέμβριος/νοε δεκεμβρίου/δεκέμβριος/δεκ""",
    "tr": """ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık""",
    "az": "yanvar fevral mart aprel may iyun iyul avqust sentyabr oktyabr noyabr dekabr",
    "id": """januari februari maret april mei juni juli agustus/agu september oktober november/nopember desember""",
    "ms": "januari februari mac april mei jun julai ogos september oktober november disember",
    "sw": "januari februari machi aprili mei juni julai agosti septemba oktoba novemba desemba",
    "ar": """يناير/كانون‌الثاني فبراير/شباط مارس/آذار أبريل/ابريل/إبريل/نيسان مايو/أيار يونيو/يونيه/حزيران
        يوليو/يوليه/تموز أغسطس/اغسطس/آب سبتمبر/أيلول أكتوبر/اكتوبر نوفمبر ديسمبر""",
    "he": "ינואר/בינואר פברואר/בפברואר מרץ/במרץ/מרס/במרס אפריל/באפריל מאי/במאי יוני/ביוני יולי/ביולי אוגוסט/באוגוסט "
    "ספטמבר/בספטמבר אוקטובר/באוקטובר נובמבר/בנובמבר דצמבר/בדצמבר",
    "fa": "ژانویه فوریه مارس آوریل مه ژوئن ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر",
    "hi": """जनवरी फरवरी/फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर/सितम्बर अक्टूबर/अक्तूबर नवंबर/नवम्बर
        दिसंबर/दिसम्बर""",
    "bn": "জানুয়ারি ফেব্রুয়ারি মার্চ এপ্রিল মে জুন জুলাই আগস্ট সেপ্টেম্বর অক্টোবর নভেম্বর ডিসেম্বর",
    "ta": "ஜனவரி பிப்ரவரி மார்ச் ஏப்ரல் மே ஜூன் ஜூலை ஆகஸ்ட் செப்டம்பர் அக்டோபர் நவம்பர் டிசம்பர்",
    "th": "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม",
}


def _by_name(names: str) -> dict[str, int]:
    months = names.casefold().split()
    assert len(months) == 12, months
    return {name: number for number, forms in enumerate(months, 1) for name in forms.split("/")}


_BY_LANGUAGE = {language: _by_name(names) for language, names in _MONTHS.items()}


def _shared() -> dict[str, int]:
    """The names that mean the same month in every language that has them."""
    meanings: dict[str, set[int]] = {}
    for months in _BY_LANGUAGE.values():
        for name, number in months.items():
            meanings.setdefault(name, set()).add(number)
    return {name: min(numbers) for name, numbers in meanings.items() if len(numbers) == 1}


_SHARED = _shared()


def month_of(name: str, language: str | None = None) -> int | None:
    """The number of a month; None for other words, and for a month's name that differs between languages.

    "listopad" is October in Croatian and November in Polish: such names count only if the language is known.
    """
    name = name.casefold()
    own = _BY_LANGUAGE.get((language or "").partition("-")[0].lower(), {})
    return own.get(name) or _SHARED.get(name)
