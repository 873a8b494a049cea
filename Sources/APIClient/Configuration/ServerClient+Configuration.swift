package import JSONDocument
import NIOHTTP1

/// `channels.json` of a running server.
extension ServerClient {
    private static let configurationPath = "/api/v1/configuration"

    /// The file, without secrets.
    package func configuration() async throws -> JSONNode { try await get(Self.configurationPath) }

    /// A channel of the file, without secrets.
    package func configuration(ofChannel name: String) async throws -> JSONNode {
        try await get(Self.channelPath(name))
    }

    private static func channelPath(_ name: String) -> String {
        "\(configurationPath)/channels/\(escaped(name))"
    }

    /// Changes settings, and returns what has changed.
    ///
    /// - Parameter patch: a merge patch (RFC 7396) of everything but the channels.
    package func changeConfiguration(_ patch: JSONText) async throws -> JSONNode {
        try await send(.PATCH, Self.configurationPath, patch, ifMatch: "*")
    }

    /// Adds a channel, and returns what has changed.
    ///
    /// - Throws: ``ServerClientError`` if there is one of that name.
    package func addChannel(_ name: String, _ channel: JSONText) async throws -> JSONNode {
        let (file, tag) = try await getTagged(Self.configurationPath)
        guard !(file["channels"]?.elements ?? []).contains(where: { $0["name"]?.string == name }) else {
            throw ServerClientError("There is a channel \"\(name)\"; \"antena channel set\" changes it.")
        }
        return try await send(.PUT, Self.channelPath(name), channel, ifMatch: tag ?? "*")
    }

    /// Changes a channel, and returns what has changed.
    ///
    /// - Parameters:
    ///   - name: the channel's name.
    ///   - patch: a merge patch (RFC 7396) of the channel.
    package func changeChannel(_ name: String, _ patch: JSONText) async throws -> JSONNode {
        try await send(.PATCH, Self.channelPath(name), patch, ifMatch: "*")
    }

    /// Makes a JPEG or PNG file the image of a channel, and returns what has changed.
    ///
    /// - Parameters:
    ///   - name: the channel's name.
    ///   - path: the file; `nil` for no image.
    package func setCover(ofChannel name: String, toFileAt path: String?) async throws -> JSONNode {
        let resource = "\(Self.channelPath(name))/cover"
        guard let path else { return try await send(.DELETE, resource, ifMatch: "*") }
        return try await putImage(resource, fileAt: path, ifMatch: "*")
    }

    /// Removes a channel, and returns what has changed.
    package func removeChannel(_ name: String) async throws -> JSONNode {
        try await send(.DELETE, Self.channelPath(name), ifMatch: "*")
    }
}
