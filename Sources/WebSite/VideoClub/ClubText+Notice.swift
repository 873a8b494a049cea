import HTTPEndpoints
import Hummingbird

extension ClubText {
    /// The sentence that says what a form has done, on the page to which it led; `nil` if none was sent.
    func notice(_ request: Request) -> String? {
        switch PageRequest.value(of: ClubPath.noticeParameter, in: request) {
        case ClubPath.rent: rented
        case ClubPath.activate: activated
        case ClubPath.vote: voted
        default: nil
        }
    }
}
