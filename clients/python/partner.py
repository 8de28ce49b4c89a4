# SPDX-License-Identifier: Apache-2.0
"""A partner's back end with Python's standard library alone: a booking token, a booking, and a verified webhook.

Settings come from the environment: BASE_URL, API_KEY (scheduling:read, scheduling:admin), SHOP_UID, SHOP_IDENTIFIER,
APPOINTMENT_TYPE_UID, BOOKING_KEY_ID, BOOKING_SECRET, and LISTEN_PORT for the webhook. Without them it is the demo world.
"""

import base64
import hashlib
import hmac
import json
import os
import queue
import threading
import time
import urllib.error
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer

DEMO = {
    "BASE_URL": "http://127.0.0.1:8080",
    "API_KEY": "spr_demo_management_key_0000000000000000000000",
    "SHOP_UID": "shop_demo",
    "SHOP_IDENTIFIER": "demo-shop",
    "APPOINTMENT_TYPE_UID": "aty_demo_consultation",
    "BOOKING_KEY_ID": "bts_demo",
    "BOOKING_SECRET": "demo-booking-token-secret-that-everybody-knows",
    "LISTEN_PORT": "9099",
}
SETTINGS = {**DEMO, **{name: os.environ[name] for name in DEMO if name in os.environ}}
BASE_URL = SETTINGS["BASE_URL"]
PORT = int(SETTINGS["LISTEN_PORT"])


def call(method, path, body=None, headers=None):
    """One request. Raises RuntimeError with the code and the sentence of a refusal."""
    request = urllib.request.Request(
        BASE_URL + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"content-type": "application/json", **(headers or {})},
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        problem = json.load(refusal)
        raise RuntimeError(f"{refusal.code} {problem['code']}: {problem['error']}") from None


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def booking_token(customer_id, profile):
    """The JWT by which a partner vouches for one customer, valid four minutes."""
    now = int(time.time())
    header = {"alg": "HS256", "typ": "JWT", "kid": SETTINGS["BOOKING_KEY_ID"]}
    claims = {
        "aud": "service-scheduling",
        "iat": now,
        "nbf": now,
        "exp": now + 240,
        "shop_identifier": SETTINGS["SHOP_IDENTIFIER"],
        "shop_customer_id": customer_id,
        "patient_profile_fields": [{"field": k, "value": v, "source": "shop"} for k, v in profile.items()],
    }
    signed = b".".join(base64url(json.dumps(part).encode()) for part in (header, claims))
    signature = hmac.new(SETTINGS["BOOKING_SECRET"].encode(), signed, hashlib.sha256).digest()
    return (signed + b"." + base64url(signature)).decode()


def verified(headers, body, secret):
    """The event of a webhook, or None where signature or time are not right (Standard Webhooks)."""
    stamp = headers.get("webhook-timestamp", "")
    if not stamp.isdigit() or abs(time.time() - int(stamp)) > 300:
        return None
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id', '')}.{stamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = [entry.split(",", 1)[-1] for entry in headers.get("webhook-signature", "").split(" ")]
    return json.loads(body) if any(hmac.compare_digest(expected, one) for one in given) else None


deliveries = queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        deliveries.put((self.headers, body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def main():
    server = HTTPServer(("127.0.0.1", PORT), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    subscription = call(
        "POST",
        "/v1/management/notification-subscriptions",
        {"notification_type": "PATIENT_DOCTOR_MEETING_UPDATED", "url": f"http://127.0.0.1:{PORT}/"},
        {"x-api-key": SETTINGS["API_KEY"], "idempotency-key": str(uuid.uuid4())},
    )

    kind = SETTINGS["APPOINTMENT_TYPE_UID"]
    days = {"from": int(time.time()), "to": int(time.time()) + 14 * 86_400}
    search = {"shop_uid": SETTINGS["SHOP_UID"], "appointment_type_uid": kind, "limit": 1, **days}
    slot = call("POST", "/v1/scheduling/slots/search", search)["slots"][0]
    token = booking_token(f"customer-{uuid.uuid4()}", {"first_name": "Ada", "last_name": "Example"})
    session = call(
        "POST",
        "/v1/scheduling/booking-sessions",
        {"mode": "booking", "appointment_type_uid": kind, **days},
        {"x-service-booking-token": token},
    )
    code = session["booking_launch_code"]
    appointment = call(
        "POST",
        f"/v1/scheduling/booking-sessions/{code}/appointments",
        {"start_date": slot["start_date"], "doctor_uid": slot["doctor_uid"]},
        {"idempotency-key": str(uuid.uuid4())},
    )
    print(appointment["status"], appointment["uid"])

    headers, body = deliveries.get(timeout=60)
    event = verified(headers, body, subscription["secret"])
    if event is None or verified(headers, body + b" ", subscription["secret"]) is not None:
        raise SystemExit("the webhook's signature is not right")
    print("verified", event["type"], event["data"]["appointment"]["uid"])
    server.shutdown()


if __name__ == "__main__":
    main()
