-- Organisations, their staff, patients, keys and secrets. Keys of every organisation's table start with organisation_uid, so that the
-- schema can be divided by organisation. Shops and booking-token secrets are looked up before the organisation is
-- known, so their names are unique over all organisations.

CREATE TABLE organisations (
  organisation_uid text PRIMARY KEY,
  name text NOT NULL,
  timezone text NOT NULL,
  country_code text NOT NULL DEFAULT 'DE', -- of national telephone numbers
  return_url_origins text[] NOT NULL,
  embed_origins text[] NOT NULL,
  messages text[] NOT NULL,
  message_texts jsonb NOT NULL DEFAULT '[]', -- own texts of messages: [{kind, language, subject, greeting, opening, closing, sms}]
  visit_reason_in_messages boolean NOT NULL,
  patient_live_holds_max integer NOT NULL CHECK (patient_live_holds_max >= 1),
  patient_future_appointments_max integer NOT NULL CHECK (patient_future_appointments_max >= 1),
  branding jsonb NOT NULL, -- branding of pages and messages; logo is the name of an image
  holiday_region text, -- the Land whose public holidays count; null: none
  extra_holidays jsonb NOT NULL DEFAULT '[]', -- [{date, name}]
  lapsed_holds_close boolean NOT NULL DEFAULT false, -- whether the time of a hold that expires stays closed until a job has stored that; a minute
  retention jsonb NOT NULL DEFAULT '{}', -- days by kind of data, if not the default
  pharmacy_uids text[], -- the pharmacies that its shops may use, set only by the operator; null: all
  added jsonb NOT NULL DEFAULT '{}', -- fields of capabilities, by name
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
-- Prefix of codes, room names and uids of draft orders, by which their organisation is found. Not secret.
CREATE FUNCTION organisation_tag(organisation_uid text) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN substr(md5(organisation_uid), 1, 12);
CREATE UNIQUE INDEX organisations_tag ON organisations (organisation_tag(organisation_uid));
CREATE INDEX organisations_embed_origins ON organisations USING gin (embed_origins); -- CORS

CREATE TABLE admins (
  organisation_uid text NOT NULL REFERENCES organisations,
  uid text NOT NULL,
  display_name text NOT NULL,
  email text,
  phone text,
  PRIMARY KEY (organisation_uid, uid)
);

-- People who sign in to a practice's workspace: those whom the provider gives a role, from their first sign-in, and invited ones.
CREATE TABLE staff_people (
  organisation_uid text NOT NULL REFERENCES organisations,
  uid text NOT NULL,
  display_name text NOT NULL,
  email text,
  role text CONSTRAINT staff_people_role -- set by the practice; null: the provider's counts
    CHECK (role IN ('owner', 'reception', 'assistant', 'doctor_assistant', 'billing', 'read_only')),
  provider_role text CONSTRAINT staff_people_provider_role -- that the provider named at the last sign-in
    CHECK (provider_role IN ('owner', 'reception', 'assistant', 'doctor_assistant', 'billing', 'read_only')),
  subject text, -- identifier at the provider; null until the invitation is accepted
  invitation_hash bytea, -- of an open invitation
  invitation_expires_at timestamptz, -- real time
  seen_at timestamptz, -- last sign-in, real time
  removed_at timestamptz, -- since when the person may not sign in
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, uid),
  CONSTRAINT staff_people_subject UNIQUE (organisation_uid, subject)
);
CREATE INDEX staff_people_email ON staff_people (lower(email)); -- sign-in by mail

-- People who operate the installation, where they sign in by mail.
CREATE TABLE operators (
  uid text PRIMARY KEY,
  email text NOT NULL,
  invitation_hash bytea, -- of an open invitation
  invitation_expires_at timestamptz, -- real time
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX operators_email ON operators (lower(email));
CREATE INDEX staff_people_of_subject ON staff_people (subject) WHERE subject IS NOT NULL AND removed_at IS NULL; -- sign-in

-- Logos and doctors' pictures, shown on public pages. The name is the content's hash.
CREATE TABLE images (
  organisation_uid text NOT NULL REFERENCES organisations,
  name text NOT NULL,
  content_type text NOT NULL CONSTRAINT images_content_type CHECK (content_type IN ('image/png', 'image/jpeg')),
  bytes bytea NOT NULL CONSTRAINT images_bytes CHECK (octet_length(bytes) <= 65536),
  PRIMARY KEY (organisation_uid, name)
);
CREATE INDEX images_name ON images (name); -- a page's request

CREATE TABLE shops (
  organisation_uid text NOT NULL REFERENCES organisations,
  uid text NOT NULL CONSTRAINT shops_uid UNIQUE,
  shop_identifier text NOT NULL CONSTRAINT shops_identifier UNIQUE,
  name text NOT NULL,
  default_pharmacy_uid text REFERENCES pharmacies,
  pharmacy_uids text[], -- the pharmacies that its orders may go to, the default one included; null: all
  pharmacy_choice text NOT NULL DEFAULT 'any' CHECK (pharmacy_choice IN ('any', 'patient')), -- patient: an order names its pharmacy
  anamnesis_sku_uids text[] NOT NULL DEFAULT '{}', -- articles that it sells only with an anamnesis
  storefront_kind text NOT NULL CHECK (storefront_kind IN ('embedded', 'shopify')),
  storefront_domain text,
  storefront_sealed text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, uid)
);

CREATE TABLE doctors (
  organisation_uid text NOT NULL REFERENCES organisations,
  uid text NOT NULL,
  display_name text NOT NULL,
  email text,
  phone text,
  timezone text NOT NULL,
  profession text,
  address text,
  title text,
  specialty text,
  specialty_code text NOT NULL DEFAULT 'ALLG', -- of the IHE value set
  languages text[] NOT NULL, -- BCP 47
  picture text, -- the name of an image
  limits jsonb NOT NULL DEFAULT '[]', -- [{per, max}]: appointments in a day, week or month
  holiday_region text, -- null: the organisation's
  extra_holidays jsonb NOT NULL DEFAULT '[]', -- [{date, name}]
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (organisation_uid, uid)
);
CREATE INDEX doctors_email ON doctors (lower(email)); -- sign-in by mail

-- Cyrillic letters in Latin ones, as names are written in passports: sokolova finds Соколова.
CREATE FUNCTION latin(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN words ~ '[Ѐ-ӿ]' THEN replace(replace(replace(replace(replace(replace(replace(replace(translate(words,
    'абвгґдеёєзиіїйклмнопрстуфыэъь', 'abvggdeeeziiiyklmnoprstufye'), 'щ', 'shch'), 'ж', 'zh'), 'х', 'kh'), 'ц', 'ts'), 'ч', 'ch'),
    'ш', 'sh'), 'ю', 'yu'), 'я', 'ya') ELSE words END;
-- Arabic letters in Latin consonants, without vowels, doubles and spaces: abdul rahman finds عبد الرحمن. Empty without such letters.
CREATE FUNCTION arabic_consonants(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN words ~ '[ء-ي]' THEN '~' || regexp_replace(regexp_replace(replace(translate(words,
    'بتثجحخدذرزسصضطظغفقكلمنهةگپچاأإآعويىءئؤ ', 'bttjhhddrzssdtzgfqklmnhhgpc'), 'ش', 'sh'), '[^a-z]', '', 'g'), '(.)\1+', '\1', 'g')
    ELSE '' END;
-- How people's names are compared: in lower case and without accents. ae and ä, oe and ö, ue and ü are alike, so are ss and ß, i and ı.
CREATE FUNCTION folded(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN replace(replace(replace(replace(translate(latin(lower(words)),
    'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýÿāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįıĵķĺļľłńņňōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷźżžơưǎǐǒǔǖǘǚǜǟǡǧǩǫǭǰǵǹǻȁȃȅȇȉȋȍȏȑȓȕȗșțȟȧȩȫȭȯȱȳḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕẖẗẘẙạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ̧̨̀́̂̃̄̆̇̈̊̋̌',
    'aaaaaaaceeeeiiiidnoooooouuuuyyaaaccccddeeeeegggghhiiiiijkllllnnnoooorrrsssstttuuuuuuwyzzzouaiouuuuuaagkoojgnaaaeeiioorruusthaeooooyabbbcdddddeeeeefghhhhhiikkkllllmmmnnnnoooopprrrrsssssttttuuuuuvvwwwwwxxyzzzhtwyaaaaaaaaaaaaeeeeeeeeiioooooooooooouuuuuuuyyyy'), 'ß', 'ss'), 'ae', 'a'), 'oe', 'o'), 'ue', 'u');

CREATE TABLE patients (
  organisation_uid text NOT NULL REFERENCES organisations,
  uid text NOT NULL,
  shop_uid text NOT NULL,
  shop_customer_id text, -- null: no account at the shop
  profile jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  restricted_at timestamptz, -- since when processing of the profile is restricted; null: it is not
  erased_at timestamptz, -- since when only the uid is left
  -- The text by which lists are searched, separate from the profile, which may be large: a search reads it for every patient
  search_text text NOT NULL GENERATED ALWAYS AS (folded(uid || E'\n' || coalesce(shop_customer_id, '') || E'\n' ||
    coalesce(profile->>'email', '') || E'\n' || coalesce(profile->>'first_name' || ' ', '') || coalesce(profile->>'last_name', '') ||
    E'\n' || coalesce(profile->>'insurance_number', '') || E'\n' || coalesce(profile->>'date_of_birth', '') || E'\n' || regexp_replace(coalesce(profile->>'phone', ''), '\D', '', 'g') || E'\n' ||
    arabic_consonants(coalesce(profile->>'first_name', '') || ' ' || coalesce(profile->>'last_name', '')))) STORED,
  PRIMARY KEY (organisation_uid, uid),
  CHECK (erased_at IS NULL OR (profile = '{}' AND shop_customer_id IS NULL)),
  CONSTRAINT patients_customer UNIQUE (organisation_uid, shop_uid, shop_customer_id),
  FOREIGN KEY (organisation_uid, shop_uid) REFERENCES shops
);
CREATE INDEX patients_email ON patients (organisation_uid, lower(profile->>'email')); -- list by e-mail address
CREATE INDEX patients_name ON patients (organisation_uid, lower(profile->>'last_name'), lower(profile->>'first_name')); -- the patient of a prescription
CREATE INDEX patients_age ON patients (updated_at); -- retention
CREATE INDEX patients_by_age ON patients (organisation_uid, created_at, uid COLLATE "C"); -- order of lists

CREATE TABLE api_keys (
  uid text PRIMARY KEY,
  key_hash bytea NOT NULL UNIQUE,
  name text NOT NULL,
  permissions text[] NOT NULL,
  organisation_uid text REFERENCES organisations,
  pharmacy_uid text REFERENCES pharmacies,
  pharmacy_group_uid text REFERENCES pharmacy_groups,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz,
  CHECK (num_nonnulls(organisation_uid, pharmacy_uid, pharmacy_group_uid) = 1)
);
CREATE INDEX api_keys_organisation ON api_keys (organisation_uid); -- an organisation's list

CREATE TABLE booking_token_secrets (
  organisation_uid text NOT NULL REFERENCES organisations,
  key_id text NOT NULL CONSTRAINT booking_token_secrets_key UNIQUE,
  secret_sealed text NOT NULL,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz,
  PRIMARY KEY (organisation_uid, key_id)
);
