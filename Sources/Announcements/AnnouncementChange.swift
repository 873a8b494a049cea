package import MediaCore

/// A change of an announcement; `nil` leaves a field as it is.
package struct AnnouncementChange: Sendable {
    package var text: String?
    package var audience: Announcement.Audience?
    package var startsAt: WallClockTime?
    /// The outer `nil` leaves the end, the inner one takes it away.
    package var endsAt: WallClockTime??

    package init() {}
}
