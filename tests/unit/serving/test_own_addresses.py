"""E-mail addresses that prove the operator of a place: those of its own host."""

import pytest

from serving.operators.own_addresses import domain_of_website, is_own_address, is_shared
from tests.support.releases import resource
from tests.support.town import write_town
from warehouse.release.watch import ReleaseWatch

WEBSITES = [
    ("Saint Zebra Church - Food Pantry", None, "https://www.stzebra.example/pantry"),
    ("Saint Zebra Church - Soup Kitchen", None, "stzebra.example"),
    ("Quince Pantry", "Quince House", "https://quince.example"),
    ("Quince Kitchen", "Quince House", "http://food.quince.example/kitchen"),
    ("Quince Van", "QUINCE HOUSE", "https://quince.example/van"),
    *[(f"Site {n}", "Big Network", "https://bignetwork.example") for n in range(4)],
    ("Pantry of the East", None, "https://shared.example/east"),
    ("Kitchen of the West", None, "https://shared.example/west"),
    ("Pantry of Onyx", None, "https://onyx.example.co.uk"),
    ("Pantry on a Builder", None, "https://lonely.wixsite.com/pantry"),
    ("Campus Pantry", None, "https://food.zebra.edu"),
    ("Page Alone", None, "https://www.facebook.com/alone"),
    ("City Pantry", None, "https://www.ci.zebra.tx.us"),
    ("District Pantry", None, "https://zebra.k12.ca.us"),
    ("County Pantry", None, "https://quincecounty.example"),
    ("Listed Pantry", None, "https://www.foodpantries.org/li/listed"),
    ("Grace Pantry", None, "https://www.zebragazette.example/grace"),
    ("New York Food Pantry", None, "https://newyork.example"),
    ("New York Baptist Pantry", None, "https://yorkbaptist.example"),
    ("Zebra Elementary Pantry", None, "https://zebraelementary.example"),
    ("Town of Quagga Food Pantry", None, "https://quaggafood.example"),
    ("Group Chat Pantry", None, "https://chat.whatsapp.com/abc"),
    ("Okapi Chapel", None, "https://okapi.churchcenter.com"),
    ("Mailbox Pantry", None, "https://comcast.net"),
    ("Tuta House", None, "https://tuta.com"),
    ("Neighbors Pantry", None, "https://hosting-quail.example/neighbors"),
]


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    rows = [
        resource(400 + n, name=name, organization=organization, website=website)
        for n, (name, organization, website) in enumerate(WEBSITES)
    ]
    write_town(folder, resources=rows)
    watch = ReleaseWatch(folder, lambda *_: None)
    watch.open_now()
    yield watch.release
    watch.close()


@pytest.mark.parametrize(
    ("email", "website", "is_own"),
    [
        ("ann@stzebra.example", "https://www.stzebra.example/pantry", True),
        ("ann@mail.StZebra.example", "stzebra.example", True),
        ("ann@quince.example", "http://food.quince.example/kitchen", True),
        ("ann@onyx.example.co.uk", "https://onyx.example.co.uk", False),  # not named so
        ("ann@other.co.uk", "https://onyx.example.co.uk", False),
        ("ann@other.example", "https://quince.example", False),
        ("ann@notquince.example", "https://quince.example", False),
        ("ann@bignetwork.example", "https://bignetwork.example", False),  # four places
        ("ann@shared.example", "https://shared.example/east", False),  # two organizations
        ("ann@lonely.wixsite.com", "https://lonely.wixsite.com/pantry", False),
        ("ann@zebra.edu", "https://food.zebra.edu", False),
        ("ann@facebook.com", "https://www.facebook.com/alone", False),
        ("ann@ci.zebra.tx.us", "https://www.ci.zebra.tx.us", False),
        ("ann@zebra.k12.ca.us", "https://zebra.k12.ca.us", False),
        ("ann@quincecounty.example", "https://quincecounty.example", False),
        ("ann@foodpantries.org", "https://www.foodpantries.org/li/listed", False),
        ("ann@zebragazette.example", "https://www.zebragazette.example/grace", False),
        ("ann@newyork.example", "https://newyork.example", False),  # of the town
        ("ann@yorkbaptist.example", "https://yorkbaptist.example", True),
        ("ann@zebraelementary.example", "https://zebraelementary.example", False),
        ("ann@quaggafood.example", "https://quaggafood.example", False),
        ("ann@whatsapp.com", "https://chat.whatsapp.com/abc", False),
        ("ann@churchcenter.com", "https://okapi.churchcenter.com", False),
        ("ann@comcast.net", "https://comcast.net", False),
        ("ann@tuta.com", "https://tuta.com", False),
        ("ann@hosting-quail.example", "https://hosting-quail.example/neighbors", False),
        ("ann@quince.example", None, False),
        ("ann@", "https://", False),
    ],
)
def test_only_a_host_of_ones_own_counts(release, email, website, is_own):
    name, organization = next(
        ((name, organization) for name, organization, site in WEBSITES if site == website),
        ("Quince Pantry", None),
    )
    place = {
        "name": name,
        "organization": organization,
        "website": website,
        "city": "New York",
        "county_name": "New York County",
    }
    assert is_own_address(release, email, place) is is_own


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        ("gmail.com", True),
        ("yelp.com", True),
        ("columbia.edu", True),
        ("nyc.gov", True),
        ("army.mil", True),
        ("zebraschools.org", True),
        ("cityofzebra.org", True),
        ("plentiful.org", True),
        ("zebraisd.net", True),
        ("salvationarmyusa.org", True),
        ("zebrauniversity.com", True),
        ("stzebra.org", False),
        ("zebra.us", False),
        ("county-fare.example", False),
        ("graffiti.church", False),
    ],
)
def test_hosts_of_many_are_known(domain, expected):
    assert bool(is_shared(domain)) is expected


@pytest.mark.parametrize("website", ["http://[", "https://", "mailto:a@b.example", "//", "com"])
def test_invalid_websites_have_no_domain(website):
    assert domain_of_website(website) in {None, "b.example"}
