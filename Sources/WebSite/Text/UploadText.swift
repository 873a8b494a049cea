import Community
import HTTPEndpoints
import HTTPTypes
import MediaCore
import SiteTexts
import Workflows

/// The texts of the pages on which members send videos.
struct UploadText: SiteTextSection {
    static let section = "uploads"

    let heading, room, choose, record, stop, progress, waiting, wrong, resume, describe, needsScript, own,
        nothing: String
    let receiving, processing, ready, failed, published, wanted, problem, missing: String
    let preview, picture, pictureTime, usePicture, publish, saveOnly, delete, open, notTaken, replace, keep: String
    let shareAfter, shareNow: String
    /// The texts that the script shows for refusals in place of the server's reasons, which are English; empty for the
    /// reason.
    let notVideo, noRoom, refused: String
    let noCamera, notAccepted: String
    let ownPicture, pictureNotUsable, pictureTooLarge, pictureTooEarly: String
    let language: SiteLanguage

    /// How far an upload is.
    func state(_ upload: MemberUpload) -> String {
        switch upload.state {
        case .receiving: receiving
        case .processing:
            upload.title?.progress.map { "\(processing) \(Int(max(0, min(1, $0)) * 100)) %" } ?? processing
        case .ready: upload.isWanted ? wanted : ready
        case .failed: failed
        case .published: published
        }
    }

    /// Why an upload could not be published; `nil` if nothing has kept it from that. The server keeps the reason in
    /// English, so that in other languages what was typed is checked again.
    func problem(of upload: MemberUpload, _ text: VideoPageText) -> String? {
        guard let reason = upload.problem else { return nil }
        guard language != .english else { return "\(problem) \(reason)." }
        guard upload.state != .failed else { return "\(problem) \(failed)." }
        do throws(Refusal) {
            _ = try upload.contents.checked()
            return "\(problem) \(notAccepted)"
        } catch {
            return "\(problem) \(text.sentence(error))"
        }
    }

    /// The room that a member has.
    func room(_ usage: UploadUsage) -> String {
        room.filled("free", with: "\(usage.free >> 20)", ["all": "\(usage.quota >> 20)"])
    }

    /// The mistake in an image that was sent for lists.
    func sentence(aboutPicture status: HTTPResponse.Status) -> String {
        switch status {
        case .contentTooLarge:
            pictureTooLarge.filled("limit", with: "\(ImageBody.poster.maximumByteCount >> 20)")
        case .conflict: pictureTooEarly
        default: pictureNotUsable
        }
    }
}
