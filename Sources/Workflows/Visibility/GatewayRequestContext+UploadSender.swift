import Accounts
import HTTPEndpoints
package import MediaIntake

extension GatewayRequestContext {
    /// The sender of an image or a file, as far as its room is concerned.
    package var uploadSender: UploadSender {
        if may(.upload, .library) { return .operators }
        // Strangers who sign up share the room of one member by the network that they come from.
        return .member(principal.member?.id.text ?? "network \(caller.origin.group)")
    }
}
