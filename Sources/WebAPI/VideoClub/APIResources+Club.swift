import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import MediaCore
import VideoClub

extension APIResources {
    /// The JSON of a rental.
    ///
    /// - Parameters:
    ///   - rental: the rental.
    ///   - now: the time at which its state is wanted.
    ///   - playlist: where the title is watched; `nil` before the activation and after the end.
    ///   - copies: what devices have of it; `nil` leaves that out.
    static func rental(
        _ rental: Rental, at now: WallClockTime, playlist: String?, copies: [CopyOnDevice]? = nil
    ) -> APIObject<RentalFields> {
        RentalFields.object { fields in
            [
                fields.id(rental.id.text), fields.title(rental.titleID), fields.name(rental.titleName),
                fields.price(Int(rental.price)), fields.state(rental.state(at: now).rawValue),
                fields.rentedAt(time(rental.rentedAt)), fields.startsBefore(time(rental.startsBefore)),
                fields.minutesToPlay(minutes(rental.timeToPlay)), fields.activatedAt(time(rental.activatedAt)),
                fields.endsAt(time(rental.endsAt)), fields.endReason(rental.endReason(at: now)?.rawValue),
                fields.playlist(playlist), copies.map { fields.offline(offline($0)) },
            ]
        }
    }

    private static func offline(_ copies: [CopyOnDevice]) -> APIObject<RentalOfflineFields> {
        RentalOfflineFields.object {
            [$0.state(CopyState(copies.state.rawValue)), $0.devices(copies.map(offlineDevice))]
        }
    }

    private static func offlineDevice(_ copy: CopyOnDevice) -> APIObject<RentalOfflineDeviceFields> {
        RentalOfflineDeviceFields.object {
            [
                $0.id(copy.device.text), $0.name(copy.deviceName), $0.rendition(copy.rendition),
                $0.state(CopyState(copy.state.rawValue)), $0.changedAt(time(copy.changedAt)),
            ]
        }
    }

    /// The JSON of a movement of credits, from the member's view.
    static func movement(_ movement: CreditMovement) -> APIObject<CreditMovementFields> {
        CreditMovementFields.object {
            [
                $0.id(movement.id.text), $0.reason(movement.reason.rawValue), $0.amount(Int(movement.amount)),
                $0.balance(Int(movement.balance)), $0.note(movement.note), $0.rental(movement.rental?.text),
                $0.reverses(movement.reverses?.text), $0.happenedAt(time(movement.happenedAt)),
                $0.expiresAt(time(movement.expiresAt)),
            ]
        }
    }

    /// The JSON of a member's vote.
    static func vote(_ vote: MemberVote) -> APIObject<MemberVoteFields> {
        MemberVoteFields.object {
            [$0.title(vote.title), $0.name(vote.name), $0.rating(vote.rating), $0.votedAt(time(vote.votedAt))]
        }
    }

    /// The JSON of the terms of a title.
    static func terms(_ terms: TitleTerms) -> APIObject<TermsFields> {
        TermsFields.object { fields in
            [
                fields.price(Int(terms.price)), fields.regularPrice(terms.regularPrice.map { Int($0) }),
                fields.featured(terms.isFeatured), fields.asksForFreeRental(terms.asksForFreeRental),
                fields.minutesToStart(terms.timeToStart.map(minutes)),
                fields.minutesToPlay(terms.timeToPlay.map(minutes)), fields.trailer(terms.trailer),
            ]
        }
    }

    static func votes(_ tally: VoteTally, own: Int?) -> APIObject<VotesFields> {
        VotesFields.object { [$0.count(Int(tally.count)), $0.average(tally.average), $0.own(own)] }
    }

    static func minutes(_ time: Duration) -> Int { Int(time.seconds) / 60 }
}
