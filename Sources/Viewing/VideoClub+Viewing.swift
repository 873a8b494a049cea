package import Accounts
package import VideoClub

extension VideoClub {
    /// Decides whether somebody may watch something, counts what was denied, and counts the player.
    ///
    /// - Parameters:
    ///   - caller: who wants to watch, as the principal that the permissions let act.
    ///   - viewer: what the permissions say of the caller.
    ///   - restriction: what the club asks for; `nil` for nothing.
    ///   - beginsPlayback: whether this begins to play, which activates a rental if the operator wants that.
    ///   - isPlaying: whether the player is one of the rental's players from now on.
    /// - Returns: the verdict, and the permit if it is `rented`.
    /// - Throws: `ClubError` if the title is gone, and `SQLError`.
    package func decide(
        _ caller: Caller, _ viewer: ViewingRules.Viewer, _ restriction: TitleRestriction?, beginsPlayback: Bool,
        isPlaying: Bool
    ) async throws -> (verdict: ViewingVerdict, permit: RentalPermit?) {
        let title: String
        switch ViewingRules.answer(viewer, restriction) {
        case .rental(let id): title = id
        case .decided(let verdict):
            if viewer.reading == .allowed, verdict == .loginNeeded, restriction == .membersOnly {
                statistics.add(.membersOnly)
            }
            return (verdict, nil)
        }
        let standing = try await standing(of: caller, title: title, beginsPlayback: beginsPlayback)
        let verdict = ViewingRules.verdict(of: standing)
        guard case .rented(let rental) = verdict else {
            count(verdict)
            return (verdict, nil)
        }
        guard let permit = RentalPermit(rental, of: caller.principal, in: self) else {
            return (.denied(.notActivated), nil)
        }
        let denial = denial(
            session: permit.session, rental: rental.id.text, from: caller.origin, isPlaying: isPlaying)
        return denial.map { (.denied($0), nil) } ?? (verdict, permit)
    }

    /// Why a player may not play with a rental that lasts: as many others do as may. `nil` if it may, and then it is
    /// one of them.
    ///
    /// - Parameters:
    ///   - session: what the players of one credential have in common.
    ///   - rental: the ID of the rental.
    ///   - origin: where the player is.
    ///   - isPlaying: whether it is one of the rental's players from now on.
    package func denial(
        session: some StringProtocol, rental: String, from origin: RequestOrigin, isPlaying: Bool
    ) -> RentalDenial? {
        let limit = settings.playersPerRental
        let player = RentalPlayer(session: session, from: origin)
        guard !players.admits(player, to: rental, limit: limit, isPlaying: isPlaying) else { return nil }
        statistics.add(.tooManyPlayers)
        return .tooManyPlayers(limit: limit)
    }

    private func count(_ verdict: ViewingVerdict) {
        switch verdict {
        case .denied(.needed): statistics.add(.rentalNeeded)
        case .denied(.notActivated): statistics.add(.rentalNotActivated)
        case .denied(.over): statistics.add(.rentalOver)
        default: break
        }
    }
}
