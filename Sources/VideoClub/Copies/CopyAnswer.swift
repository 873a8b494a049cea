/// The answer to a request for a copy.
package enum CopyAnswer: Sendable {
    case ready(OfflineCopy)
    /// Its digests are being computed.
    ///
    /// - Parameter progress: 0 to 1.
    case preparing(progress: Double)
}
