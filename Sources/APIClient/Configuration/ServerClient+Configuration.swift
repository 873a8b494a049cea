package import APIContract
package import APIDeclarations
package import JSONDocument

/// `channels.json` of a running server.
extension ServerClient {
    /// Makes the server reload the file, and returns what has changed.
    ///
    /// - Throws: ``ServerClientError`` with all mistakes in the file.
    package func reload() async throws -> APIObject<ReloadFields> {
        try await send(ConfigurationAPI.reloadConfiguration)
    }

    /// The file, without secrets.
    package func configuration() async throws -> JSONText { try await send(ConfigurationAPI.getConfiguration) }

    /// The channels of the file, without secrets.
    package func configuredChannels() async throws -> [APIObject<ConfiguredChannelFields>] {
        try await configuration()["channels"].flatMap([APIObject<ConfiguredChannelFields>].init(json:)) ?? []
    }

    /// A channel of the file, without secrets.
    package func configuration(ofChannel name: String) async throws -> JSONText {
        try await send(ConfigurationAPI.getConfiguredChannel, name)
    }

    /// Changes settings, and returns what has changed.
    ///
    /// - Parameter patch: a merge patch (RFC 7396) of everything but the channels.
    package func changeConfiguration(_ patch: JSONText) async throws -> APIObject<ReloadFields> {
        try await send(ConfigurationAPI.changeConfiguration, body: patch, ifMatch: "*")
    }

    /// Adds a channel, and returns what has changed.
    ///
    /// - Throws: ``ServerClientError`` if there is one of that name.
    package func addChannel(_ name: String, _ channel: JSONText) async throws -> APIObject<ReloadFields> {
        let (file, tag) = try await getTagged(Self.path(of: ConfigurationAPI.getConfiguration, []))
        guard !(file["channels"]?.elements ?? []).contains(where: { $0["name"]?.string == name }) else {
            throw ServerClientError("There is a channel \"\(name)\"; \"antena channel set\" changes it.")
        }
        return try await send(
            ConfigurationAPI.replaceConfiguredChannel, name, body: channel, ifMatch: tag ?? "*")
    }

    /// Changes a channel, and returns what has changed.
    ///
    /// - Parameters:
    ///   - name: the channel's name.
    ///   - patch: a merge patch (RFC 7396) of the channel.
    package func changeChannel(_ name: String, _ patch: JSONText) async throws -> APIObject<ReloadFields> {
        try await send(ConfigurationAPI.changeConfiguredChannel, name, body: patch, ifMatch: "*")
    }

    /// Makes a JPEG or PNG file the image of a channel, and returns what has changed.
    ///
    /// - Parameters:
    ///   - name: the channel's name.
    ///   - path: the file; `nil` for no image.
    package func setCover(
        ofChannel name: String, toFileAt path: String?
    ) async throws -> APIObject<ReloadFields> {
        guard let path else {
            return try await send(ConfigurationAPI.deleteConfiguredChannelCover, name, ifMatch: "*")
        }
        let resource = Self.path(of: ConfigurationAPI.setConfiguredChannelCover, [name])
        return try value(try await putImage(resource, fileAt: path, ifMatch: "*"))
    }

    /// Removes a channel, and returns what has changed.
    package func removeChannel(_ name: String) async throws -> APIObject<ReloadFields> {
        try await send(ConfigurationAPI.deleteConfiguredChannel, name, ifMatch: "*")
    }
}
