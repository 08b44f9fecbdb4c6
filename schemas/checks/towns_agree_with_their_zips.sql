-- table: core_geography__cities
-- severity: error
-- A town is not more than 10 miles outside every ZIP code that the post gives its name.
WITH pairs AS (
    SELECT c.place_name, c.state, z.zip,
        2 * 3958.8 * asin(sqrt(
            sin(radians(z.lat - c.lat) / 2) ** 2
            + cos(radians(z.lat)) * cos(radians(c.lat)) * sin(radians(z.lng - c.lng) / 2) ** 2
        )) - z.extent_miles AS miles_outside
    FROM core_geography__cities c
    JOIN core_geography__zips z ON z.state = c.state AND lower(z.place_name) = lower(c.place_name)
    WHERE z.lat IS NOT NULL AND z.zip_kind = 'standard' AND NOT z.is_quality_low
)
SELECT place_name, state, min(zip) AS zip, min(miles_outside) AS miles_outside
FROM pairs
GROUP BY place_name, state
HAVING min(miles_outside) > 10.1
