package import MediaCore

/// The origin of a request, for lists of sessions, the audit log and the limits.
package struct RequestOrigin: Sendable, Hashable {
    /// The client's address for limits: that of the connection, or the one that a configured proxy reports.
    package let group: AddressGroup
    /// The client's address as it is shown, without port.
    package let address: String
    /// The client's program as it names itself, such as the `User-Agent`.
    package let device: String

    /// Length limits of the stored texts.
    private static let maximumAddressCharacterCount = 64
    private static let maximumDeviceCharacterCount = 200

    /// - Parameters:
    ///   - group: the client's address for limits.
    ///   - address: the client's address as it is shown; the group's if `nil`.
    ///   - device: the client's program as it names itself. It is cut, and control characters are removed.
    package init(_ group: AddressGroup, address: String? = nil, device: String = "") {
        self.group = group
        self.address = UntrustedText.stripped(
            address ?? group.description, maximumCharacterCount: Self.maximumAddressCharacterCount)
        self.device = UntrustedText.stripped(device, maximumCharacterCount: Self.maximumDeviceCharacterCount)
    }
}
