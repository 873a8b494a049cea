import APIContract
import Accounts
package import HTTPEndpoints
package import HTTPTypes
import JSONDocument
package import VideoClub

extension ProblemDetails {
    /// RFC 9110 §15.5.3.
    package static let paymentRequired = HTTPResponse.Status(code: 402, reasonPhrase: "Payment Required")

    /// The response to a request to the video club that cannot be carried out.
    package init(_ error: ClubError) {
        let (status, type): (HTTPResponse.Status, ProblemType?) =
            switch error.code {
            case .notFound: (.notFound, nil)
            case .loginNeeded: (.unauthorized, nil)
            case .notEnoughCredits: (Self.paymentRequired, .creditsNeeded)
            case .alreadyRented: (.conflict, .alreadyRented)
            case .alreadyVoted: (.conflict, .alreadyVoted)
            case .rentalNotNeeded, .notReversible: (.conflict, nil)
            case .rentalEnded: (.gone, .rentalOver)
            case .keyOfAnotherRequest: (.unprocessableContent, .keyOfAnotherRequest)
            case .invalidField: (.unprocessableContent, nil)
            case .invalidCursor: (.unprocessableContent, .cursorNotValid)
            case .changedMeanwhile: (.preconditionFailed, nil)
            case .notARenter: (.forbidden, nil)
            case .rentalNeeded: (Self.paymentRequired, .rentalNeeded)
            case .rentalNotActivated: (.forbidden, .rentalNotActivated)
            case .copyReplaced: (.gone, .copyReplaced)
            case .deviceRemoved: (.forbidden, nil)
            case .tooMany: (.conflict, .tooMany)
            case .unavailable, .busy: (.serviceUnavailable, nil)
            }
        self.init(status, error.reason, type: type)
        if let field = error.field { issues = [.init(position: nil, field: field, message: error.reason)] }
        if status == .serviceUnavailable { headers[.retryAfter] = "2" }
        if status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        switch error.code {
        case .notEnoughCredits(let price, let balance):
            members = [
                .init(name: "price", value: .integer(Int(price))),
                .init(name: "balance", value: .integer(Int(balance))),
                .init(name: "missing", value: .integer(Int(price - balance))),
            ]
            if let address = error.purchaseAddress {
                members.append(.init(name: "purchaseAddress", value: .string(address)))
            }
        case .alreadyRented(let rental): members = [.init(name: "rental", value: .string(rental.id.text))]
        default: break
        }
    }
}

extension ClubError: ReportedError {
    package var problem: ProblemDetails { ProblemDetails(self) }
}
