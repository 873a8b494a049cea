/// What viewers get while nobody pushes.
package struct LossPolicy: Sendable, Hashable {
    package enum Action: String, Sendable, Hashable, CaseIterable {
        /// The playlists stay as they are, and players wait.
        case hold
        /// The playlists end, and players with them.
        case end
    }

    package var action: Action
    /// Seconds without a publisher after which the playlists end.
    package var timeoutSeconds: Int

    /// An encoder that lost its network is back within it, and players that wait have not given up.
    package static let defaultTimeoutSeconds = 30

    package init(action: Action = .hold, timeoutSeconds: Int = LossPolicy.defaultTimeoutSeconds) {
        self.action = action
        self.timeoutSeconds = timeoutSeconds
    }

    var timeoutMilliseconds: Int64 { Int64(timeoutSeconds) * 1_000 }
}
