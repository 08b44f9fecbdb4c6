"""Shared hosts: an e-mail address there does not show who runs a place.

Names are registrable domains, without a leading `www.`. Schools and governments are recognised by
their form, see `SHARED_SUFFIXES` and `SHARED_WORDS`. A host missing here is still refused if
several places use it.
"""

import re

_MAIL = """
aol.com att.net bellsouth.net charter.net comcast.net cox.net earthlink.net fastmail.com
frontier.com gmail.com gmx.com google.com googlemail.com hotmail.com hushmail.com icloud.com
juno.com live.com mac.com mail.com me.com msn.com netzero.net optonline.net outlook.com pm.me
proton.me protonmail.com rocketmail.com roadrunner.com rr.com sbcglobal.net spectrum.net
tutanota.com verizon.net windstream.net yahoo.com yandex.com ymail.com zoho.com
"""
_SITES = """
blogspot.com business.site carrd.co cfsites.org clover.site cloversites.com constantcontact.com
ecatholic.com facebook.com fb.com fb.me flocknote.com flickr.com github.io godaddysites.com goo.gl
google.com homestead.com instagram.com linkedin.com linktr.ee mailchimp.com meetup.com mohid.co
mystrikingly.com netministries.org pages.dev paypal.com shutterfly.com sites.google.com
snappages.site squarespace.com square.site strikingly.com subsplash.com tiktok.com tripod.com
tumblr.com twitter.com us-church.info webador.com webflow.io webnode.com weebly.com wix.com
wixsite.com wordpress.com x.com youtube.com
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
    r"|(?:isd|usd|csd)(?:\.|$)"
    r"|^(?:cityof|townof|townshipof|villageof|countyof)|county(?:\.|$)"
)
