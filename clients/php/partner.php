<?php
// SPDX-License-Identifier: Apache-2.0
/**
 * A partner's back end with PHP's standard library alone: a booking token, a booking, and a verified webhook.
 *
 * Settings come from the environment: BASE_URL, API_KEY (scheduling:read, scheduling:admin), SHOP_UID, SHOP_IDENTIFIER,
 * APPOINTMENT_TYPE_UID, BOOKING_KEY_ID, BOOKING_SECRET, and LISTEN_PORT for the webhook. Without them it is the demo world.
 *
 * `php partner.php` books; `php -S 127.0.0.1:9099 partner.php` is the receiver, with WEBHOOK_SECRET in its environment.
 */
declare(strict_types=1);

const DEMO = [
    'BASE_URL' => 'http://127.0.0.1:8080',
    'API_KEY' => 'spr_demo_management_key_0000000000000000000000',
    'SHOP_UID' => 'shop_demo',
    'SHOP_IDENTIFIER' => 'demo-shop',
    'APPOINTMENT_TYPE_UID' => 'aty_demo_consultation',
    'BOOKING_KEY_ID' => 'bts_demo',
    'BOOKING_SECRET' => 'demo-booking-token-secret-that-everybody-knows',
    'LISTEN_PORT' => '9099',
];

function setting(string $name): string
{
    return getenv($name) ?: DEMO[$name];
}

/** One request. Throws with the code and the sentence of a refusal. */
function call(string $method, string $path, ?array $body = null, array $headers = []): array
{
    $lines = ['content-type: application/json'];
    foreach ($headers as $name => $value) {
        $lines[] = "$name: $value";
    }
    $options = ['method' => $method, 'header' => $lines, 'ignore_errors' => true, 'timeout' => 30];
    if ($body !== null) {
        $options['content'] = json_encode($body, JSON_THROW_ON_ERROR);
    }
    $text = file_get_contents(setting('BASE_URL') . $path, false, stream_context_create(['http' => $options]));
    if ($text === false) {
        throw new RuntimeException("$method $path: no answer");
    }
    $status = (int) explode(' ', $http_response_header[0])[1];
    $answer = json_decode($text, true, 512, JSON_THROW_ON_ERROR);
    if ($status >= 400) {
        throw new RuntimeException("$status {$answer['code']}: " . json_encode($answer['error']));
    }
    return $answer;
}

function base64url(string $bytes): string
{
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}

/** The JWT by which a partner vouches for one customer, valid four minutes. */
function booking_token(string $customer, array $profile): string
{
    $now = time();
    $header = ['alg' => 'HS256', 'typ' => 'JWT', 'kid' => setting('BOOKING_KEY_ID')];
    $fields = [];
    foreach ($profile as $field => $value) {
        $fields[] = ['field' => $field, 'value' => $value, 'source' => 'shop'];
    }
    $claims = [
        'aud' => 'service-scheduling',
        'iat' => $now,
        'nbf' => $now,
        'exp' => $now + 240,
        'shop_identifier' => setting('SHOP_IDENTIFIER'),
        'shop_customer_id' => $customer,
        'patient_profile_fields' => $fields,
    ];
    $signed = base64url(json_encode($header, JSON_THROW_ON_ERROR)) . '.' . base64url(json_encode($claims, JSON_THROW_ON_ERROR));
    return $signed . '.' . base64url(hash_hmac('sha256', $signed, setting('BOOKING_SECRET'), true));
}

/** The event of a webhook, or null where signature or time are not right (Standard Webhooks). */
function verified(string $id, string $timestamp, string $signatures, string $body, string $secret): ?array
{
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return null;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    $expected = base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $signatures) as $entry) {
        [$version, $signature] = explode(',', $entry, 2) + [1 => ''];
        if ($version === 'v1' && hash_equals($expected, $signature)) {
            return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
        }
    }
    return null;
}

/** The receiver: takes an event only if its signature holds. */
function receive(): void
{
    $header = fn (string $name): string => $_SERVER['HTTP_WEBHOOK_' . $name] ?? '';
    $body = file_get_contents('php://input');
    $event = verified($header('ID'), $header('TIMESTAMP'), $header('SIGNATURE'), $body, getenv('WEBHOOK_SECRET'));
    http_response_code($event === null ? 401 : 204);
    if ($event !== null) {
        file_put_contents('php://stdout', "verified {$event['type']} {$event['data']['appointment']['uid']}\n");
    }
}

function main(): void
{
    $port = setting('LISTEN_PORT');
    $once = ['idempotency-key' => bin2hex(random_bytes(16))];
    $subscription = call(
        'POST',
        '/v1/management/notification-subscriptions',
        ['notification_type' => 'PATIENT_DOCTOR_MEETING_UPDATED', 'url' => "http://127.0.0.1:$port/"],
        ['x-api-key' => setting('API_KEY')] + $once,
    );
    $command = [PHP_BINARY, '-q', '-S', "127.0.0.1:$port", __FILE__];
    $environment = ['WEBHOOK_SECRET' => $subscription['secret']] + getenv();
    $log = ['file', '/dev/null', 'w'];
    $receiver = proc_open($command, [1 => ['pipe', 'w'], 2 => $log], $pipes, null, $environment);

    $kind = setting('APPOINTMENT_TYPE_UID');
    $days = ['from' => time(), 'to' => time() + 14 * 86400];
    $search = ['shop_uid' => setting('SHOP_UID'), 'appointment_type_uid' => $kind, 'limit' => 1] + $days;
    $slot = call('POST', '/v1/scheduling/slots/search', $search)['slots'][0];
    $token = booking_token('customer-' . bin2hex(random_bytes(8)), ['first_name' => 'Ada', 'last_name' => 'Example']);
    $session = call(
        'POST',
        '/v1/scheduling/booking-sessions',
        ['mode' => 'booking', 'appointment_type_uid' => $kind] + $days,
        ['x-service-booking-token' => $token],
    );
    $appointment = call(
        'POST',
        "/v1/scheduling/booking-sessions/{$session['booking_launch_code']}/appointments",
        ['start_date' => $slot['start_date'], 'doctor_uid' => $slot['doctor_uid']],
        $once,
    );
    echo $appointment['status'], ' ', $appointment['uid'], "\n";

    echo fgets($pipes[1]); // the receiver's line, once the webhook has come
    proc_terminate($receiver);
}

PHP_SAPI === 'cli-server' ? receive() : main();
