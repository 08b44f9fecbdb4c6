import pytest

from assets.cleaning.keys import address_key, name_key


@pytest.mark.parametrize(
    ("one", "other", "key"),
    [
        ("100 North Fifth Street, Suite B", "100 N. 5TH ST #B", "100 n 5th st unit b"),
        ("12 Oak Avenue", "12 OAK AVE.", "12 oak ave"),
        ("12 Oak St Apt 4", "12 Oak Street Unit 4", "12 oak st unit 4"),
        ("12 Oak St, Apt. #4", "12 Oak St # 4", "12 oak st unit 4"),
        ("P.O. Box 12", "Post Office Box 12", "po box 12"),
        ("PO Box #12", "po box 12", "po box 12"),
        ("Corner of 5th and Main", "Main & Fifth", "5th & main"),
        ("Main St at 5th Ave", "5th Ave & Main St", "5th ave & main st"),
        ("4500 State Highway 9", "4500 State Rte 9", "4500 sr 9"),
        ("US Highway 1", "U.S. 1", "us hwy 1"),
        ("12 Co Rd 20", "12 County Road 20", "12 cr 20"),
        ("12 Fifty-First St", "12 51st Street", "12 51st st"),
        ("100 Martin Luther King Jr Blvd", "100 M.L. King Blvd", "100 mlk blvd"),
        ("12 O'Brien Ln", "12 OBrien Lane", "12 obrien ln"),
        ("12 Oak St, 2nd Floor", "12 Oak St Fl 2", "12 oak st fl 2"),
        ("Avenida Peñuelas 3", "AVE PENUELAS 3", "ave penuelas 3"),
    ],
)
def test_two_spellings_of_one_address(one: str, other: str, key: str) -> None:
    assert (address_key(one), address_key(other)) == (key, key)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("12 Oak St", "12 Oak Ave"),
        ("12 Oak St", "12 N Oak St"),
        ("12 Oak St Apt 4", "12 Oak St Apt 5"),
        ("12 Oak St", "12 Oak St Apt 4"),
        ("12 Oak St Fl 2", "12 Oak St Unit 2"),
        ("PO Box 12", "12 Box St"),
    ],
)
def test_different_addresses_stay_apart(one: str, other: str) -> None:
    assert address_key(one) != address_key(other)


@pytest.mark.parametrize(
    ("one", "other", "key"),
    [
        ("The Salvation Army", "SALVATION ARMY, INC.", "salvation army"),
        ("St. Mary's Pantry", "Saint Marys Pantry", "st marys pantry"),
        ("Stop & Shop #12", "STOP AND SHOP 12", "stop and shop 12"),
        ("Niños Health Ctr.", "Ninos Health Center LLC", "ninos health center"),
        ("The", "THE", "the"),
        ("食物銀行", "食物銀行", "食物銀行"),
    ],
)
def test_two_spellings_of_one_name(one: str, other: str, key: str) -> None:
    assert (name_key(one), name_key(other)) == (key, key)
