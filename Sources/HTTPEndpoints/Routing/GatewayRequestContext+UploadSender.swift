import Accounts
package import MediaIntake

extension GatewayRequestContext {
    /// Who sends an image or a file, as far as its room is concerned.
    package var uploadSender: UploadSender {
        guard !may(.upload, .library), let member = principal.member else { return .operators }
        return .member(member.id.text)
    }
}
