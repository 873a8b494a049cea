import JSONDocument
package import NIOCore

/// Sets the image of a channel to one that an operator sends. It is stored below the media folder, and `channels.json`
/// names it.
package struct ChannelCoverChange: Sendable {
    private let reloader: any ChannelsReloading
    private let content: any ContentSource

    package init(reloader: any ChannelsReloading, content: any ContentSource) {
        (self.reloader, self.content) = (reloader, content)
    }

    /// - Parameters:
    ///   - image: a JPEG or PNG file; `nil` for no image. An image that was sent before is deleted, any other file
    ///     stays.
    ///   - name: the channel's name.
    ///   - version: the version that `channels.json` must have; `nil` for any.
    ///   - isOnMachine: whether the caller is on the server's machine.
    /// - Returns: what has changed, and the file's new version.
    /// - Throws: `LibraryError` if the image cannot be used or stored, and the errors of
    ///   ``ChannelsReloading/change(_:version:isOnMachine:)``; nothing is changed then.
    package func set(
        _ image: ByteBuffer?, ofChannel name: String, version: String?, isOnMachine: Bool
    ) async throws -> (outcome: ChannelsReload, version: String) {
        let library = content.library
        // The channel has to be there before a file gets its name.
        guard let channel = try await reloader.configuration().channel(named: name) else {
            throw ConfigurationError.noSuchChannel(name)
        }
        let old = Self.cover(of: channel)
        var new: String?
        if let image { new = try await library.storeCover(image, ofChannel: name) }
        let patch = JSONText.object([("cover", new.map(JSONText.string) ?? .null)])
        do {
            let changed = try await reloader.change(
                .changeChannel(name: name, patch), version: version, isOnMachine: isOnMachine)
            if let old, old != new { await dropUnlessNamed(old, ofChannel: name) }
            return changed
        } catch {
            if let new, new != old { await dropUnlessNamed(new, ofChannel: name) }
            throw error
        }
    }

    private static func cover(of channel: JSONText) -> String? {
        guard case .string(let path) = channel["cover"] else { return nil }
        return path
    }

    /// Deletes a channel's image unless it is still named: the path of one channel's image may be used for another.
    private func dropUnlessNamed(_ path: String, ofChannel name: String) async {
        guard let document = try? await reloader.configuration().document, case .array(let all) = document["channels"],
            !all.contains(where: { Self.cover(of: $0) == path })
        else { return }
        await content.library.deleteStoredCover(path, ofChannel: name)
    }
}
