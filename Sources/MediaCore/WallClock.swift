import Foundation

/// The source of the current time, for program dates and for times in statuses; tests supply their own.
package struct WallClock: Sendable {
    package var now: @Sendable () -> WallClockTime

    package init(now: @escaping @Sendable () -> WallClockTime) { self.now = now }

    /// The machine's clock. Values and mechanisms, such as the packaging, do not read it: they are told the time.
    package static let system = WallClock { WallClockTime(Date()) }
}
