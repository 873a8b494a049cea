/// The reason why a playback session ended by itself.
enum PlaybackEndReason: Hashable, Sendable {
    /// Nobody publishes to the channel any more. A player that reconnects gets the next push with its own
    /// description.
    case publisherLeft
    /// The following media does not match the description.
    case codecChanged
    case tooSlow
    case endOfTitle
    /// The time for which the reader may play is over.
    case timeOver
    /// The rental was refunded, or its account has gone or is suspended.
    case rentalEndedEarly
    /// The title was hidden.
    case hidden
    case fileUnreadable(String)

    /// Human-readable reason, for the log.
    var explained: String {
        switch self {
        case .publisherLeft: "the push has ended"
        case .codecChanged: "the publisher has changed its codec"
        case .tooSlow: "the reader did not keep up"
        case .endOfTitle: "the title has ended"
        case .timeOver: "the reader's permission to play has expired"
        case .hidden: "the title was hidden"
        case .rentalEndedEarly: "the rental was refunded, or its account may no longer watch"
        case .fileUnreadable(let error): error
        }
    }
}
