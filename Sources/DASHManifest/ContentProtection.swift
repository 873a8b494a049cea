import MediaCore

/// The encryption of the samples of an adaptation set (ISO/IEC 23009-1:2022 §5.8.4.1), with the key system
/// `org.w3.clearkey` (DASH-IF Implementation Guidelines: Content Protection).
package struct ContentProtection: Sendable, Hashable {
    /// The scheme of Common Encryption, such as `cbcs`.
    package var scheme: String
    /// The identifier of the key: 16 bytes.
    package var keyID: [UInt8]
    /// The address of licenses; `nil` if players get the key in another way.
    package var licenseAddress: String?

    package init(scheme: String, keyID: [UInt8], licenseAddress: String?) {
        (self.scheme, self.keyID, self.licenseAddress) = (scheme, keyID, licenseAddress)
    }

    private static let encryptionScheme = "urn:mpeg:dash:mp4protection:2011"
    private static let clearKeyScheme = "urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e"
    /// The namespaces of the manifest that the descriptors need.
    static let namespaces: [XMLAttribute] = [
        .init("xmlns:cenc", "urn:mpeg:cenc:2013"), .init("xmlns:dashif", "https://dashif.org/CPS"),
    ]

    func write(into writer: inout XMLWriter) {
        writer.element(
            "ContentProtection",
            [
                .init("schemeIdUri", Self.encryptionScheme), .init("value", scheme),
                .init("cenc:default_KID", Self.identifier(keyID)),
            ])
        let clearKey: [XMLAttribute] = [.init("schemeIdUri", Self.clearKeyScheme), .init("value", "ClearKey1.0")]
        guard let licenseAddress else { return writer.element("ContentProtection", clearKey) }
        writer.element("ContentProtection", clearKey) { writer in
            writer.element("dashif:Laurl", text: licenseAddress)
        }
    }

    /// An identifier as a UUID (RFC 9562 §4).
    private static func identifier(_ bytes: [UInt8]) -> String {
        let digits = Array(bytes.hexadecimalDigits)
        var text = ""
        for (position, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(position) { text.append("-") }
            text.append(digit)
        }
        return text
    }
}
