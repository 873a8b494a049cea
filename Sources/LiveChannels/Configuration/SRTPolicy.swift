/// Rules for SRT on a channel.
package struct SRTPolicy: Sendable, Hashable, CustomStringConvertible {
    /// Time for which lost packets are waited for, in milliseconds.
    package var latency: Int
    /// The passphrase of publishers and readers; `nil` if they do not encrypt.
    package var passphrase: String?

    package init(latency: Int = 200, passphrase: String? = nil) {
        (self.latency, self.passphrase) = (latency, passphrase)
    }

    /// A description without the passphrase, which is safe to print.
    package var description: String { "latency \(latency) ms\(passphrase == nil ? "" : ", encrypted")" }
}
