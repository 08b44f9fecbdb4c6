-- The rows of every HSDS collection over `base`: one row per active resource, its ids made.
--
-- A query yields `id` and the members it knows, by name; the others are empty. `changed_date` is the
-- day its publisher says the row is of. Texts come trimmed or not at all from the writer. `base` and
-- `said` are made first.

-- name: base
CREATE MACRO web_address(text) AS CASE WHEN regexp_full_match(text, 'https?://[!-~]+') THEN text END;

-- The active resources with what each says of itself.
CREATE VIEW listed_resources AS
SELECT resource_id, name, resource_type, state, county_name, county_fips, lat, lng, location_precision, timezone,
       phone_e164, website, schedules_json, services_offered, requirements_text, eligibility_text, languages, notes,
       accepts_walkins, requires_appointment, verification_status, last_verified_date, source_updated_date, data_source,
       completeness_score, is_confidential, is_synthetic, service_areas, service_area_text,
       nullif(trim(organization), '') AS organization, nullif(trim(address), '') AS address,
       nullif(trim(city), '') AS city, nullif(trim(zip), '') AS zip, nullif(trim(phone), '') AS phone,
       nullif(trim(hours_text), '') AS hours_text
FROM resources WHERE is_active;

-- What the ids of each resource hang on: the source record for which its id was first issued
-- (`origin`), and the organization's number, which belongs to the record it was first issued for
-- (`lead_origin`).
CREATE VIEW belonging AS
WITH numbers AS (
    SELECT source_id || ':' || source_key AS origin, organization_number AS own,
           coalesce(successor_number, organization_number) AS number, ein
    FROM organizations
)
SELECT i.resource_id, i.origin, number.ein, head.origin AS lead_origin
FROM (SELECT resource_id, source_id || ':' || source_key AS origin FROM identities) i
JOIN numbers number USING (origin)
JOIN numbers head ON head.own = number.number;

CREATE TABLE base AS
SELECT r.*, front.source_id AS leading_source, front.source_key AS leading_source_key, belonging.ein,
       r.source_updated_date AS changed_date, kinds.label AS kind_label, kinds.meaning AS kind_meaning, kinds.term_code,
       kinds.minimum_age, kinds.maximum_age, kinds.is_free,
       hsds_id('service:' || origin) AS service_id, hsds_id('location:' || origin) AS location_id,
       hsds_id('service_at_location:' || origin) AS sal_id, hsds_id('organization:' || lead_origin) AS organization_id
FROM listed_resources r
JOIN belonging USING (resource_id)
JOIN (SELECT resource_id, source_id, source_key FROM record_sources WHERE is_primary) front USING (resource_id)
JOIN kinds USING (resource_type);

-- name: said
CREATE TABLE said AS
SELECT resource_id, service_id, changed_date, source, facts.* FROM (
    SELECT resource_id, service_id, changed_date, unnest([
        {'source': 'requirements', 'text': requirements_text}, {'source': 'eligibility', 'text': eligibility_text},
        {'source': 'notes', 'text': notes}, {'source': 'services', 'text': array_to_string(services_offered, '; ')}
    ], recursive := true) FROM base
) JOIN facts USING (text);

-- Texts of a resource that may name a fee make "free" uncertain.
CREATE VIEW has_fee AS SELECT DISTINCT service_id FROM said WHERE has_fee;

-- name: organizations
WITH named AS (
    SELECT organization_id, label AS name
    FROM (SELECT organization_id, coalesce(organization, name) AS label, count(*) AS uses FROM base GROUP BY 1, 2)
    QUALIFY row_number() OVER (PARTITION BY organization_id ORDER BY uses DESC, label) = 1
), facts AS (
    SELECT organization_id, count(*) AS places, list_sort(list(DISTINCT kind_label)) AS labels,
           list_sort(list(DISTINCT state)) AS states, min(city) AS city,
           CASE WHEN count(DISTINCT website) = 1 AND count(website) = count(*) THEN min(website) END AS website,
           min(data_source) AS data_source, bool_or(is_synthetic) AS is_synthetic, max(changed_date) AS changed_date
    FROM base GROUP BY organization_id
)
SELECT organization_id AS id, name,
       CASE WHEN places = 1 THEN labels[1] || ' in ' || coalesce(city || ', ', '') || states[1] || '.'
       ELSE 'Runs ' || places || ' listed places in '
            || CASE WHEN len(states) <= 3 THEN array_to_string(states, ', ') ELSE len(states) || ' states and territories' END
            || ': ' || array_to_string(labels[1:3], ', ') || CASE WHEN len(labels) > 3 THEN ' and others.' ELSE '.' END
       END AS description,
       web_address(website) AS website, data_source, nullif(is_synthetic, false) AS is_synthetic, changed_date
FROM facts JOIN named USING (organization_id);

-- name: locations
SELECT location_id AS id, 'physical' AS location_type, organization_id, name,
       CASE WHEN is_confidential THEN 'The address and the point are not published.' END AS description,
       CASE WHEN NOT is_confidential THEN lat END AS latitude, CASE WHEN NOT is_confidential THEN lng END AS longitude,
       CASE WHEN NOT is_confidential THEN leading_source_key END AS external_identifier,
       CASE WHEN NOT is_confidential THEN leading_source END AS external_identifier_type,
       resource_id, location_precision, timezone AS tzid, county_fips, data_source,
       nullif(is_synthetic, false) AS is_synthetic, changed_date
FROM base WHERE location_id IS NOT NULL;

-- name: service_at_location
SELECT sal_id AS id, service_id, location_id, resource_id, changed_date FROM base WHERE sal_id IS NOT NULL;

-- name: phones
WITH parts AS (
    SELECT sal_id, CASE WHEN sal_id IS NULL THEN service_id END AS own_service_id, changed_date,
           coalesce(phone_e164, phone) AS number,
           nullif(regexp_extract(phone, ' ext\. ([0-9]+)$', 1), '') AS extension_text
    FROM base WHERE coalesce(phone_e164, phone) IS NOT NULL
)
SELECT hsds_id('phone:' || coalesce(sal_id, own_service_id) || ':' || number) AS id, own_service_id AS service_id,
       sal_id AS service_at_location_id, number, 'voice' AS type,
       CASE WHEN regexp_full_match(extension_text, '[1-9][0-9]{0,14}') THEN extension_text::BIGINT END AS extension,
       CASE WHEN NOT regexp_full_match(extension_text, '[1-9][0-9]{0,14}') THEN 'Extension ' || extension_text END AS description,
       changed_date
FROM parts;

-- name: addresses
SELECT hsds_id('address:' || location_id || ':physical') AS id, location_id, address AS address_1, city, county_name AS region,
       state AS state_province, zip AS postal_code, 'US' AS country, 'physical' AS address_type, changed_date
FROM base WHERE location_id IS NOT NULL AND NOT is_confidential AND address IS NOT NULL AND city IS NOT NULL AND state IS NOT NULL AND zip IS NOT NULL;

-- name: schedules
SELECT hsds_id('schedule:' || sal_id || ':' || span_key) AS id, sal_id AS service_at_location_id, valid_from, dtstart, until, count,
       freq, interval, byday, bymonthday, description, opens_at || offset_text AS opens_at, closes_at || offset_text AS closes_at,
       CASE WHEN opens_at IS NOT NULL OR closes_at IS NOT NULL THEN offset_hours END AS timezone, tzid, is_closed, changed_date
FROM base JOIN spans USING (schedules_json) JOIN zones ON zones.tzid = base.timezone
UNION ALL BY NAME
SELECT hsds_id('schedule:' || sal_id || ':text') AS id, sal_id AS service_at_location_id, hours_text AS description,
       timezone AS tzid, changed_date
FROM (SELECT sal_id, hours_text, base.timezone::VARCHAR AS timezone, changed_date FROM base
      WHERE schedules_json IS NULL AND hours_text IS NOT NULL);

-- name: languages
WITH tags AS (
    SELECT service_id, split_part(lower(unnest(languages)), '-', 1) AS code, changed_date FROM base
)
SELECT hsds_id('language:' || service_id || ':' || code) AS id, service_id, any_value(spoken.name) AS name, code,
       any_value(changed_date) AS changed_date
FROM tags LEFT JOIN spoken USING (code) WHERE regexp_full_match(code, '[a-z]{2,3}') GROUP BY service_id, code;

-- name: attributes
SELECT hsds_id('attribute:' || service_id || ':taxonomy') AS id, service_id AS link_id,
       hsds_id('taxonomy_term:open-larder:' || term_code) AS taxonomy_term_id, 'taxonomy' AS link_type,
       'service' AS link_entity, resource_type AS value, terms.name AS label, changed_date
FROM base JOIN terms ON terms.code = base.term_code;

-- name: organization_identifiers
SELECT hsds_id('organization_identifier:' || organization_id || ':US-EIN') AS id, organization_id,
       'US-EIN' AS identifier_scheme, 'Employer identification number' AS identifier_type, min(ein) AS identifier,
       max(changed_date) AS changed_date
FROM base WHERE ein IS NOT NULL GROUP BY organization_id;

-- name: required_documents
SELECT hsds_id('required_document:' || service_id || ':' || lower(document)) AS id, service_id, document,
       any_value(changed_date) AS changed_date
FROM (SELECT service_id, unnest(documents) AS document, changed_date FROM said WHERE source = 'requirements')
GROUP BY service_id, document;

-- name: cost_options
SELECT hsds_id('cost_option:' || service_id || ':free') AS id, service_id, 'Free' AS option, 'USD' AS currency, 0.0 AS amount, changed_date
FROM base WHERE is_free AND service_id NOT IN (SELECT service_id FROM has_fee);

-- name: service_areas
WITH codes AS (
    SELECT service_id, service_area_text, changed_date, unnest(service_areas) AS code FROM base
), parts AS (
    SELECT service_id, service_area_text, changed_date, split_part(code, ':', 1) AS kind, split_part(code, ':', 2) AS value
    FROM codes
), counties AS (
    SELECT value, coalesce(of_places.county, of_zips.county) AS county
    FROM (SELECT county_fips AS value, min(county_name) AS county FROM base WHERE county_name IS NOT NULL GROUP BY 1) of_places
    FULL JOIN (SELECT county_fips AS value, min(county_name) AS county FROM zips WHERE county_name IS NOT NULL GROUP BY 1) of_zips
        USING (value)
), areas AS (
    SELECT service_id, service_area_text, changed_date, kind, CASE kind
        WHEN 'county' THEN coalesce(county, 'County ' || value)
        WHEN 'state' THEN coalesce(state_name, value)
        WHEN 'place' THEN array_to_string(list_transform(string_split(split_part(value, '/', 2), ' '),
            lambda word: upper(word[1]) || word[2:]), ' ') || ', ' || split_part(value, '/', 1)
        ELSE value END AS area
    FROM parts LEFT JOIN counties USING (value) LEFT JOIN states USING (value)
)
SELECT hsds_id('service_area:' || service_id || ':' || lower(area)) AS id, service_id,
       CASE WHEN any_value(kind) = 'zip' THEN 'ZIP code ' || area ELSE area END AS name, any_value(service_area_text) AS description,
       area AS extent, 'text' AS extent_type, any_value(changed_date) AS changed_date
FROM areas GROUP BY service_id, area;

-- name: metadata
SELECT hsds_id('metadata:' || service_id || ':' || rule_id || ':' || observed_on || ':' || changed_field || ':' || release_id) AS id,
       service_id AS resource_id, 'service' AS resource_type, observed_on AS last_action_date, 'update' AS last_action_type,
       'status' AS field_name, CASE old_value WHEN 'true' THEN 'active' ELSE 'inactive' END AS previous_value,
       CASE new_value WHEN 'true' THEN 'active' ELSE 'inactive' END AS replacement_value, 'rule ' || rule_id AS updated_by
FROM changes JOIN base USING (resource_id)
WHERE changed_field = 'is_active' AND old_value IS NOT NULL AND new_value IS NOT NULL;

-- name: taxonomies
SELECT hsds_id('taxonomy:open-larder:' || code) AS id, name, description, version FROM taxonomy;

-- name: taxonomy_terms
SELECT hsds_id('taxonomy_term:open-larder:' || terms.code) AS id, terms.code, terms.name, terms.name_es, terms.description,
       taxonomy.name AS taxonomy, 'en' AS language, hsds_id('taxonomy:open-larder:' || taxonomy.code) AS taxonomy_id,
       terms.term_uri, terms.open_eligibility, terms.open_eligibility_match
FROM terms CROSS JOIN taxonomy;

-- name: meta_table_descriptions
SELECT hsds_id('meta_table_description:open-larder:' || name) AS id, name, 'en' AS language, 'UTF-8' AS character_set FROM listed;

-- name: services
SELECT service_id AS id, organization_id, name,
       coalesce(nullif(array_to_string(services_offered, '; '), ''), kind_meaning) AS description,
       web_address(website) AS url, 'active' AS status,
       nullif(concat_ws(' ', CASE WHEN accepts_walkins THEN 'Walk in; no appointment needed.' END,
                             CASE WHEN requires_appointment THEN 'Appointment required.' END), '') AS application_process,
       CASE WHEN is_free AND service_id NOT IN (SELECT service_id FROM has_fee) THEN 'Free' END AS fees_description,
       nullif(concat_ws('; ', eligibility_text, requirements_text), '') AS eligibility_description,
       minimum_age, maximum_age, last_verified_date AS assured_date, resource_id, resource_type, verification_status,
       completeness_score, source_updated_date, data_source, nullif(is_synthetic, false) AS is_synthetic, changed_date
FROM base;
