package import Codecs

/// Output of a depacketizer.
package enum DepacketizerOutput: Sendable {
    case unit(DepacketizedUnit)
    /// Parameter sets that arrived in band and differ from the previous ones; they apply to the units that follow.
    case configuration(CodecConfiguration)
}
