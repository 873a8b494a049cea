/// A provider's answer.
package struct ProviderResponse: Sendable, Hashable {
    package var status: Int
    package var body: [UInt8]

    package init(status: Int, body: [UInt8]) { (self.status, self.body) = (status, body) }

    /// Limit of the body; a key set or a description of somebody has a few kilobytes.
    package static let maximumByteCount = 256 * 1_024
}
