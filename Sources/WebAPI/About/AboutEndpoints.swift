import APIContract
import APIDeclarations
import Accounts
package import HTTPEndpoints
package import MediaCore
package import Workflows

/// The endpoints of `/api/v1/` for the program itself: its numbers and its presets.
package struct AboutEndpoints: Sendable {
    private let content: any ContentSource
    private let presets: @Sendable () -> [QualityPreset]
    private let rtspPort: @Sendable () -> Int

    /// - Parameters:
    ///   - content: what is counted.
    ///   - presets: the presets of the current configuration, evaluated for each request.
    ///   - rtspPort: the port of the RTSP listener.
    package init(
        content: any ContentSource, presets: @escaping @Sendable () -> [QualityPreset],
        rtspPort: @escaping @Sendable () -> Int
    ) {
        (self.content, self.presets, self.rtspPort) = (content, presets, rtspPort)
    }

    package var endpoints: [Endpoint] {
        [
            Endpoint(ChannelAPI.listPresets, .needs(.read, .site)) { _, _ in
                APIPage(presets().map(APIResources.preset)).response()
            },
            Endpoint(LibraryAPI.listMisplacedFiles, .needs(.read, .library)) { _, _ in
                APIPage(await content.library.misplacedFiles().map(APIResources.misplaced)).response()
            },
            Endpoint(AboutAPI.getAbout, .needs(.read, .site)) { _, context in
                APIResources.about(try await AboutNumbers(of: content, context), rtspPort: rtspPort()).response()
            },
        ]
    }
}
