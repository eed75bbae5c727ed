"""Words that tell authors from what is no author."""

from __future__ import annotations

import re

# What content management systems and forums put where no author is known.
PLACEHOLDERS = frozenset(
    """
    admin admin1 admins administrator adminuser siteadmin webadmin wpadmin wp-admin root user username guest anonymous
    anonym anonyme anónimo anonimo author authors autor auteur autore автор writer editor editors redaktion redacción
    redaccion rédaction redazione redactie redakcja redakce redaksjonen redaktionen redação redacao toimitus редакция
    редакція staff team webmaster moderator member contributor contributors unknown unbekannt inconnu desconocido none
    null undefined nan n/a na test demo default system bot blog news press post posts home website wordpress owner
    marketing content support webteam newsroom newsdesk editorial publisher me my us we you manager super profile
    deleted [deleted] removed more share menu login follow subscribe search contact about 编辑 編集部 管理员
    developer dev hr sales info office wix shopify squarespace ghost
    """.split()
)
_SUBJECTS = "web site blog content editorial news marketing guest staff super".replace(" ", "|")
_ROLES = (
    "admin editor editors team staff writer writers author authors contributor contributors master reporter reports "
    "desk manager user blogger poster post department"
).replace(" ", "|")
PLACEHOLDER_PHRASE = re.compile(
    rf"""(?:\w+\ )?(?:{_SUBJECTS})\ ?(?:{_ROLES})(?:\ (?:team|staff))?
      | (?:the\ )?(?:editors?|staff|team|admin|authors?|editorial\ board|marketing|press\ release)(?:\ (?:team|staff))?
      | our\ (?:team|editors|staff|experts?|writers)
      | (?:former|guest|deleted|anonymous|unknown|registered|new|default|admin)\ (?:member|user|author|contributor)
      | (?:die\ )?redaktion\ .* | view\ all.* | read\ more.* | see\ .* | all\ posts.* | about\ .*
      | (?:written|posted|published|reviewed)\ by | contributors\ to\ .* | wp\ .*
      | .*\ (?:admin|administrator|webmaster) | .*\ (?:inc|corp|corporation|llc|ltd|gmbh|s\.a|limited)\.?
    """,
    re.VERBOSE,
)
# Parts of names that are written small.
PARTICLES = frozenset(
    """
    de da do dos das di del della der den des du la le van von zu zur ten ter of the and y e al el bin ibn af av
    """.split()
)
# What follows a founder's name in the name of a company.
COMPANY = frozenset(
    """
    agency associates attorneys blog books brothers clinic club co coaching company construction consulting creative
    dental design designs education events family fitness foundation group health home inc insurance interiors kitchen
    law legal ltd llc media music online partners photo photography plumbing press properties realty school services
    shop sons store studio studios team travel university
    """.split()
)
# Words that stand beside bylines, are jobs, or label controls, and are no part of a name.
NOT_IN_NAMES = frozenset(
    """
    read reading min mins minute minutes comment comments share shares updated update published posted last modified
    reviewed review reviews edited written by article articles blog blogs news post posts press release category
    categories tags tag topics topic follow subscribe newsletter menu home about contact more view views all
    save print email copy link january february march april june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday today yesterday ago author authors editor's guide guides
    how what why when where which your our this that you we is are best top tips for with from table contents
    resources insights products services company policy privacy terms jan feb mar apr jun jul aug sep sept oct nov dec
    mon tue wed thu fri sat sun sign log login get started free join try download learn up buy shop current selected
    color ranking score dealer authorized start now here new to in on at time watch listen play next previous prev open
    close click skip back related popular latest trending featured sponsored advertisement account cart order price
    sale photo photos image images video credit source courtesy report answer answers asked viewed reply replies likes
    followers ask register registered member question members online joined location reputation rank editor editors
    writer reporter correspondent senior junior chief officer director manager founder co-founder cofounder specialist
    ceo cto president strategist analyst consultant expert experts marketing request demo delivery medium bluesky
    youtube facebook twitter instagram linkedin tiktok pinterest mastodon reddit password lost
    """.split()
)
