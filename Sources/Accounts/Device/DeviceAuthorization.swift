/// The answer to a device that wants to log in (RFC 8628 §3.2).
package struct DeviceAuthorization: Sendable, Hashable {
    package var deviceCode: Secret
    package var userCode: UserCode
    /// `expires_in`
    package var lifetime: Duration
    /// `interval`: the shortest time between two polls.
    package var interval: Duration
}
