"""E-mail addresses that prove the operator of a place: those of its own host."""

import pytest

from serving.operators.own_addresses import domain_of_website, is_own_address, is_shared
from tests.support.releases import resource
from tests.support.town import write_town
from warehouse.release.watch import ReleaseWatch

# Name, organization and website of a place, an address, and whether that is of the place itself.
ADDRESSES = [
    ("Saint Zebra Church - Food Pantry", None, "https://www.stzebra.example/pantry", "ann@stzebra.example", True),
    ("Saint Zebra Church - Soup Kitchen", None, "stzebra.example", "ann@mail.StZebra.example", True),
    ("Quince Kitchen", "Quince House", "http://food.quince.example/kitchen", "ann@quince.example", True),
    ("Pantry of Onyx", None, "https://onyx.example.co.uk", "ann@onyx.example.co.uk", False),  # not named so
    ("Pantry of Onyx", None, "https://onyx.example.co.uk", "ann@other.co.uk", False),
    ("Quince Pantry", "Quince House", "https://quince.example", "ann@other.example", False),
    ("Quince Pantry", "Quince House", "https://quince.example", "ann@notquince.example", False),
    ("Site 0", "Big Network", "https://bignetwork.example", "ann@bignetwork.example", False),  # four places
    ("Pantry of the East", None, "https://shared.example/east", "ann@shared.example", False),  # two organizations
    ("Pantry on a Builder", None, "https://lonely.wixsite.com/pantry", "ann@lonely.wixsite.com", False),
    ("Campus Pantry", None, "https://food.zebra.edu", "ann@zebra.edu", False),
    ("Page Alone", None, "https://www.facebook.com/alone", "ann@facebook.com", False),
    ("City Pantry", None, "https://www.ci.zebra.tx.us", "ann@ci.zebra.tx.us", False),
    ("District Pantry", None, "https://zebra.k12.ca.us", "ann@zebra.k12.ca.us", False),
    ("County Pantry", None, "https://quincecounty.example", "ann@quincecounty.example", False),
    ("Listed Pantry", None, "https://www.foodpantries.org/li/listed", "ann@foodpantries.org", False),
    ("Grace Pantry", None, "https://www.zebragazette.example/grace", "ann@zebragazette.example", False),
    ("New York Food Pantry", None, "https://newyork.example", "ann@newyork.example", False),  # of the town
    ("New York Baptist Pantry", None, "https://yorkbaptist.example", "ann@yorkbaptist.example", True),
    ("Zebra Elementary Pantry", None, "https://zebraelementary.example", "ann@zebraelementary.example", False),
    ("Town of Quagga Food Pantry", None, "https://quaggafood.example", "ann@quaggafood.example", False),
    ("Group Chat Pantry", None, "https://chat.whatsapp.com/abc", "ann@whatsapp.com", False),
    ("Okapi Chapel", None, "https://okapi.churchcenter.com", "ann@churchcenter.com", False),
    ("Mailbox Pantry", None, "https://comcast.net", "ann@comcast.net", False),
    ("Tuta House", None, "https://tuta.com", "ann@tuta.com", False),
    ("Neighbors Pantry", None, "https://hosting-quail.example/neighbors", "ann@hosting-quail.example", False),
    ("Quince Pantry", "Quince House", None, "ann@quince.example", False),
    ("Quince Pantry", None, "https://", "ann@", False),
]  # fmt: skip
OTHERS = [
    ("Quince Van", "QUINCE HOUSE", "https://quince.example/van"),
    *[(f"Site {n}", "Big Network", "https://bignetwork.example") for n in range(1, 4)],
    ("Kitchen of the West", None, "https://shared.example/west"),
]


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    known = [*(row[:3] for row in ADDRESSES), *OTHERS]
    rows = [
        resource(400 + n, name=name, organization=organization, website=website)
        for n, (name, organization, website) in enumerate(dict.fromkeys(known))
    ]
    write_town(folder, resources=rows)
    watch = ReleaseWatch(folder, lambda *_: None)
    watch.open_now()
    yield watch.release
    watch.close()


@pytest.mark.parametrize(("name", "organization", "website", "email", "is_own"), ADDRESSES)
def test_only_a_host_of_ones_own_counts(release, name, organization, website, email, is_own):
    area = {"city": "New York", "county_name": "New York County"}
    place = {"name": name, "organization": organization, "website": website, **area}
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
