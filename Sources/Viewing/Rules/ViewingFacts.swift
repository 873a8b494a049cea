package import Accounts
package import MediaAccess
package import MediaCore
package import VideoClub

/// The known facts about a request to watch. ``ViewingRules`` decides by them, and names the facts that are missing.
package struct ViewingFacts: Sendable, Hashable {
    /// A credential that the request has beside that of an account.
    package enum Credential: Sendable, Hashable, CaseIterable {
        /// A signature in the path.
        case signature
        /// A JSON Web Token of another system, sent with each request.
        case token
        /// A JSON Web Token that players do not send again, because it stands in the address.
        case tokenInAddress
        /// A subject about which the operator's program can be asked.
        case hook
    }

    /// The verdict of the permissions about a viewer.
    package struct Viewer: Sendable, Hashable {
        /// The answer to whether they may read it.
        package var reading: Decision
        /// Whether they manage it, and so watch it without renting.
        package var isManager: Bool
        package var isMember: Bool

        package init(reading: Decision, isManager: Bool, isMember: Bool) {
            (self.reading, self.isManager, self.isMember) = (reading, isManager, isMember)
        }

        /// A viewer without an account, or with a wrong credential.
        ///
        /// - Parameter reading: what strangers may.
        package static func stranger(_ reading: Decision) -> Viewer {
            Viewer(reading: reading, isManager: false, isMember: false)
        }
    }

    /// The verdict about a signature.
    package enum SignatureAnswer: Sendable, Hashable {
        case decided(SignatureDecision)
        /// It is valid, but the rental for which it was made does not last, or it was for something free.
        case denied(RentalDenial)
    }

    /// The verdict about another system's token.
    package enum TokenAnswer: Sendable, Hashable {
        case allows(until: WallClockTime)
        /// It is valid, and allows something else.
        case allowsOther
        /// - Parameter reason: a clause that says why it is not valid.
        case notValid(reason: String)
    }

    /// The answer of the operator's program.
    package enum HookAnswer: Sendable, Hashable {
        /// - Parameter end: the end of the time for which the credential counts that a player does not send again;
        ///   `nil` for one that is sent with each request.
        case allows(until: WallClockTime?)
        case refuses
        case unavailable
    }

    // MARK: Known without asking

    /// The decision about strangers.
    package var stranger: Decision
    /// Whether others than invited people must not learn that it exists.
    package var isConcealed = false
    /// Whether it was hidden, so that only accounts open it.
    package var isHidden = false
    /// Whether it may be a title that not everybody may watch.
    package var mayBeRestricted = false
    /// Whether it may be a title that has to be rented.
    package var mayNeedRental = false
    package var credentials: Set<Credential> = []

    // MARK: Answers; `nil` until they were asked for

    package var signature: SignatureAnswer?
    /// The requirement of the video club: `.some(nil)` for none.
    package var restriction: TitleRestriction??
    package var token: TokenAnswer?
    package var viewer: Viewer?
    package var rental: Result<RentalPermit, RentalDenial>?
    package var hook: HookAnswer?

    /// - Parameters:
    ///   - stranger: what strangers may.
    ///   - credentials: what the request has beside the credential of an account.
    package init(stranger: Decision, credentials: Set<Credential> = []) {
        (self.stranger, self.credentials) = (stranger, credentials)
    }
}
