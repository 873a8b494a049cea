package import Accounts
import Catalogue
package import MediaCore

/// A file that a member sends, and what they say about the video that it will be. Its title is the member's: it is kept
/// from everybody else until it is published, and goes with its video.
package struct MemberUpload: Sendable, Hashable, Identifiable {
    var number: Int64
    /// The name in addresses, which nobody can guess.
    package var id: OpaqueID
    /// The member; `nil` if the account was deleted.
    package var owner: UserID?
    /// The ID of the resumable upload that receives the file; `nil` before it is made.
    package var upload: String?
    /// The name that the file gets in the media folder.
    package var file: String
    /// The name that the member's device has for the file.
    package var fileName: String
    package var byteCount: Int64
    /// The member's description of the video.
    package var contents: VideoContents
    /// Whether the video is published as soon as it plays.
    package var isWanted: Bool
    /// Why it could not be published, as a sentence without a full stop; `nil` if nothing was in the way.
    package var problem: String?
    /// Whether the renditions were ordered.
    package var isPrepared: Bool
    /// Whether the file and what was made of it are to be deleted.
    package var isRemoved: Bool
    /// `nil` until the file is complete.
    package var title: UploadedTitle?
    /// The video; `nil` until it is published.
    package var video: OpaqueID?
    /// The name of the video; `nil` until it is published.
    package var videoName: String?
    package var createdAt: WallClockTime
    /// Rises with each change.
    package var revision: Int64

    /// Limit of the files of one member that are not complete. One that has got no byte for ten minutes makes room.
    package static let maximumUnfinishedCount: Int64 = 3
    /// Limit of the name of the file.
    package static let maximumFileNameLength = 200
    /// The time after which an upload without a title is given up, unless its bytes are still awaited. Resumable
    /// uploads expire before.
    package static let maximumAge = Duration.seconds(25 * 3_600)

    package var state: UploadState {
        if video != nil { return .published }
        guard let title else { return .receiving }
        if title.state == .ready { return .ready }
        return title.state.isFinal ? .failed : .processing
    }
}
