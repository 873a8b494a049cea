package import Accounts
package import VideoClub

/// The rules of who may watch, by account and rental, without questions to anybody. HLS, RTSP and `/api/v1/authorize`
/// decide by them.
package enum ViewingRules {
    /// What the permissions say of somebody who wants to watch something.
    package struct Viewer: Sendable, Hashable {
        /// The answer to whether they may read it.
        package var reading: Decision
        /// Whether they manage it, and so watch it without renting.
        package var isManager: Bool
        package var isMember: Bool

        package init(reading: Decision, isManager: Bool, isMember: Bool) {
            (self.reading, self.isManager, self.isMember) = (reading, isManager, isMember)
        }
    }

    /// A verdict, or the question that it depends on.
    package enum Answer: Sendable, Hashable {
        case decided(ViewingVerdict)
        /// It depends on the member's rental of the title with an ID; see ``verdict(of:)``.
        case rental(title: String)
    }

    /// - Parameters:
    ///   - viewer: what the permissions say.
    ///   - restriction: what the video club asks for; `nil` for nothing.
    package static func answer(_ viewer: Viewer, _ restriction: TitleRestriction?) -> Answer {
        guard viewer.reading == .allowed, let restriction, !viewer.isManager else {
            return .decided(ViewingVerdict(viewer.reading))
        }
        guard viewer.isMember else { return .decided(.loginNeeded) }
        switch restriction {
        case .membersOnly: return .decided(.allowed)
        case .rental(let title): return .rental(title: title)
        }
    }

    /// What a member's last rental of a title is good for.
    package static func verdict(of standing: RentalStanding) -> ViewingVerdict {
        switch standing {
        case .neverRented: .denied(.needed)
        case .waiting: .denied(.notActivated)
        case .over: .denied(.over)
        // A rental without an end has not begun.
        case .active(let rental): rental.endsAt == nil ? .denied(.notActivated) : .rented(rental)
        }
    }
}
