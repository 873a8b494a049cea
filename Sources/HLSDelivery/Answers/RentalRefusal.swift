package import APIContract
package import HTTPTypes

/// Why somebody with an account may not watch a title that has to be rented.
package enum RentalRefusal: Sendable, Hashable {
    /// The account has never rented it.
    case needed
    /// The time to watch it has not begun.
    case notActivated
    /// The time to watch it is over.
    case over
    /// The rental has as many other players as it may.
    ///
    /// - Parameter limit: their number.
    case tooManyPlayers(limit: Int)

    /// The status of the response.
    package var status: HTTPResponse.Status {
        switch self {
        // RFC 9110 §15.5.3.
        case .needed: HTTPResponse.Status(code: 402, reasonPhrase: "Payment Required")
        case .notActivated, .tooManyPlayers: .forbidden
        case .over: .gone
        }
    }

    package var type: ProblemType {
        switch self {
        case .needed: .rentalNeeded
        case .notActivated: .rentalNotActivated
        case .over: .rentalOver
        case .tooManyPlayers: .tooManyPlayers
        }
    }

    /// The problem and its remedy.
    package var reason: String {
        switch self {
        case .needed: "the title has to be rented first: POST /api/v1/titles/{id}/rentals, or rent it on its page"
        case .notActivated: "the rental is not activated: POST /api/v1/rentals/{id}/activation begins its time"
        case .over: "the rental has expired; the title can be rented again"
        case .tooManyPlayers(let limit):
            "the rental is being watched on \(limit) \(limit == 1 ? "device" : "devices") at the same time, which is as "
                + "many as it allows; close one, and try again in a minute"
        }
    }
}
