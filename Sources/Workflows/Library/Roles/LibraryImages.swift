package import Catalogue
package import MediaIntake
package import NIOCore

/// Images that people send, and those that are shown of titles, tracks and channels.
package protocol LibraryImages: Sendable {
    /// Makes the frame at a time (in seconds) the title's poster, or lets the library choose one if `seconds` is `nil`.
    ///
    /// - Parameters:
    ///   - id: the ID of the title.
    ///   - seconds: the time of the frame.
    ///   - sender: who asks.
    ///   - condition: whether the title is still the one that the change is meant for; evaluated in the transaction of
    ///     the change.
    /// - Returns: the title; `nil` if there is no title with that id.
    /// - Throws: `LibraryError`; `Refusal` if the title has been changed.
    func setPoster(
        ofTitle id: String, at seconds: Double?, from sender: UploadSender,
        if condition: @escaping RecordCondition<TitleRecord>
    ) async throws -> TitleRecord?
    /// Makes an uploaded image the title's poster; the result and the errors are those of
    /// ``setPoster(ofTitle:at:from:if:)``.
    func setPoster(
        ofTitle id: String, to image: ByteBuffer, from sender: UploadSender,
        if condition: @escaping RecordCondition<TitleRecord>
    ) async throws -> TitleRecord?
    /// Makes an uploaded image the track's cover; `nil` shows again the image beside the file, or the one in it.
    ///
    /// - Parameters:
    ///   - id: the ID of the track.
    ///   - image: a JPEG or PNG file.
    ///   - condition: as for ``setPoster(ofTitle:at:from:if:)``.
    /// - Returns: the track; `nil` if there is no track with that id.
    /// - Throws: `LibraryError`; `Refusal` if the track has been changed.
    func setCover(
        ofTrack id: String, to image: ByteBuffer?, if condition: @escaping RecordCondition<AudioTrackRecord>
    ) async throws -> AudioTrackRecord?
    /// Cuts the square out of the middle of an image that somebody has sent, as JPEG without metadata.
    ///
    /// - Parameters:
    ///   - image: a JPEG or PNG file.
    ///   - side: the width and height of the result in pixels, even.
    ///   - sender: who has sent it.
    /// - Throws: `LibraryError` if the file is not an image, or if too many are made at once.
    func squareImage(of image: ByteBuffer, side: Int, from sender: UploadSender) async throws -> [UInt8]
    /// Encodes an image that somebody has sent again, as JPEG without metadata.
    ///
    /// - Parameters:
    ///   - image: a JPEG or PNG file.
    ///   - width: the largest width of the result in pixels.
    ///   - sender: who has sent it.
    /// - Throws: `LibraryError` if the file is not an image, or if too many are made at once.
    func sentImage(of image: ByteBuffer, width: Int, from sender: UploadSender) async throws -> [UInt8]
    /// The image of a channel, as JPEG.
    ///
    /// - Parameter file: the file that `channels.json` names.
    /// - Returns: `nil` if there is no such file, or if it is not an image.
    func channelCover(ofFile file: String) async throws -> [UInt8]?
    /// Stores an image that an operator has sent for a channel.
    ///
    /// - Parameters:
    ///   - image: a JPEG or PNG file.
    ///   - channel: the channel's name.
    /// - Returns: the path of the file, for `channels.json`.
    /// - Throws: `LibraryError` if the file is not an image, if too many are made at once, or if it cannot be stored.
    func storeCover(_ image: ByteBuffer, ofChannel channel: String) async throws -> String
    /// Deletes an image that was stored for the channel; any other file stays.
    ///
    /// - Parameters:
    ///   - path: what `channels.json` has named.
    ///   - channel: the channel's name.
    func deleteStoredCover(_ path: String, ofChannel channel: String) async
    /// A banner of the community's pages, as JPEG; see ``channelCover(ofFile:)``.
    func banner(ofFile file: String) async throws -> [UInt8]?
}
