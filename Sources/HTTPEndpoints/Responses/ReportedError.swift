import Accounts
import Community
import VideoClub

/// An error with a reason for the person who asked, and so with a response of its own.
package protocol ReportedError: Error {
    var problem: ProblemDetails { get }
}

extension ProblemDetails: ReportedError {
    package var problem: ProblemDetails { self }
}

extension AccountsError: ReportedError {
    package var problem: ProblemDetails { ProblemDetails(self) }
}

extension CommunityError: ReportedError {
    package var problem: ProblemDetails { ProblemDetails(self) }
}

extension ClubError: ReportedError {
    package var problem: ProblemDetails { ProblemDetails(self) }
}
