package import HLSDelivery
package import HTTPEndpoints
package import MediaCore
package import NIOPosix
package import VideoClub
package import Workflows

/// The endpoints of the library: titles, tracks, collections, their details and images, jobs and uploads.
package struct LibraryEndpoints: Sendable {
    private let content: any ContentSource
    private let presets: @Sendable () -> [QualityPreset]
    /// Sends the files of titles and tracks.
    package let files: FileEndpoints

    /// The source of rentals; `nil` for a server without a video club.
    package var club: VideoClub?
    /// `nil` if titles cannot be encrypted.
    package var titleKeys: TitleKeys?
    /// The address of the media store, for people; `nil` for a server without one.
    package var mediaStore: String?

    /// - Parameters:
    ///   - content: the library.
    ///   - presets: the presets of the current configuration, evaluated for each request.
    ///   - threadPool: reads the images.
    ///   - delivery: sends media; `nil` for a server without media.
    package init(
        content: any ContentSource, presets: @escaping @Sendable () -> [QualityPreset], threadPool: NIOThreadPool,
        delivery: MediaDelivery?
    ) {
        (self.content, self.presets) = (content, presets)
        files = FileEndpoints(content: content, library: content.library, threadPool: threadPool, delivery: delivery)
    }

    package var endpoints: [Endpoint] {
        let (content, library) = (content, content.library)
        let titles =
            TitleEndpoints(content: content, library: content.library, titleKeys: titleKeys, club: club).endpoints
            + CollectionEndpoints(content: content, titleKeys: titleKeys, club: club).endpoints
            + LadderEndpoints(content: content, library: content.library, presets: presets).endpoints
            + PosterEndpoints(content: content, titleKeys: titleKeys).endpoints
            + [TitleEncryptionEndpoint(content: content, keys: titleKeys).endpoint]
        let tracks =
            TrackEndpoints(content: content, library: content.library).endpoints
            + CoverEndpoints(content: content, library: content.library).endpoints
        return titles + tracks + DetailEndpoints(content: content, library: content.library).endpoints
            + JobEndpoints(content: content).endpoints
            + UploadEndpoints(library: library, target: LibraryUploads(library: library)).endpoints
            + MediaStoreEndpoints(library: content.library, address: mediaStore).endpoints + files.endpoints
    }
}
