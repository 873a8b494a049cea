package import APIContract

/// The fields of the answer to a device that has not logged in (RFC 8628 §3.5).
package struct DeviceTokenErrorFields: ObjectFields {
    package static let name = "DeviceTokenError"
    package static let fields = DeviceTokenErrorFields()

    package let error = Field<String>(
        "error", "reason: no decision yet, too many requests, a refusal, or codes that have expired",
        .oneOf("authorization_pending", "slow_down", "access_denied", "expired_token"))

    package init() {}
}
