/// What viewers get while nobody pushes.
package struct LossPolicy: Sendable, Hashable {
    package enum Action: String, Sendable, Hashable, CaseIterable {
        /// The playlists stay as they are, and players wait.
        case hold
        /// The playlists end, and players with them.
        case end
        /// A still or a clip in a loop, with silence; where there is none to be had, as ``hold``.
        case slate
    }

    package var action: Action
    /// Seconds without a publisher after which the playlists end.
    package var timeoutSeconds: Int
    /// Of the slate: below the folder of titles, or an absolute path; `nil` for a plain card.
    package var slateFile: String?

    /// An encoder that lost its network is back within it, and players that wait have not given up.
    package static let defaultTimeoutSeconds = 30

    package init(
        action: Action = .hold, timeoutSeconds: Int = LossPolicy.defaultTimeoutSeconds, slateFile: String? = nil
    ) {
        self.action = action
        self.timeoutSeconds = timeoutSeconds
        self.slateFile = slateFile
    }

    var timeoutMilliseconds: Int64 { Int64(timeoutSeconds) * 1_000 }
}
