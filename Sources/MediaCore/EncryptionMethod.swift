/// How the media of a title is encrypted.
package enum EncryptionMethod: String, Sendable, Hashable, CaseIterable {
    /// AES-128 in CBC mode of whole segments (rfc8216bis §4.4.4.4), which HLS alone has.
    case aes128 = "aes-128"
    /// Common Encryption of samples by the scheme `cbcs` (ISO/IEC 23001-7 §10.4), for HLS and DASH.
    case cbcs

    /// The value of a setting for titles that are not encrypted.
    package static let noneName = "none"
    /// All values of a setting.
    package static let settingNames = [noneName] + allCases.map(\.rawValue)

    /// The value of a setting.
    ///
    /// - Parameter method: the method; `nil` for a title that is not encrypted.
    package static func settingName(of method: EncryptionMethod?) -> String { method?.rawValue ?? noneName }
}
