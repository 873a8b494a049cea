import APIContract
import Accounts
import Community
import HTTPEndpoints
import Hummingbird
import Workflows

/// The paths of the pages of published videos.
enum VideoPath {
    static let list = "\(ResourcePaths.community)/videos"
    static let feed = "\(ResourcePaths.community)/siguiendo"
    static let videos = ResourcePaths.videos
    static let members = "\(ResourcePaths.community)/miembro/"
    static let comments = "\(ResourcePaths.community)/comentario/"
    static let publish = "\(ResourcePaths.community)/publicar/"
    static let search = "\(ResourcePaths.community)/buscar"
    static let memberSearch = "\(ResourcePaths.community)/miembros"
    static let profile = "\(ResourcePaths.community)/perfil"
    static let activity = "\(ResourcePaths.community)/actividad"
    static let upload = "\(ResourcePaths.community)/subir"
    static let moderation = ResourcePaths.moderation

    static let embedding = "\(ResourcePaths.community)/incrustado/"
    static let oEmbed = "/oembed"
    static let feedFile = "videos.atom"
    /// The feed of the list of all videos.
    static let listFeed = feed(ofListAt: list)

    static let like = "me-gusta"
    static let comment = "comentar"
    static let report = "denunciar"
    static let appeal = "recurrir"
    static let edit = "editar"
    static let withdraw = "retirar"
    static let delete = "borrar"
    static let approve = "aprobar"
    static let follow = "seguir"
    static let followers = "seguidores"
    static let followings = "seguidos"
    static let block = "bloquear"
    static let mute = "silenciar"
    static let poster = "imagen"
    static let ownPoster = "imagen-propia"

    private static let shareParameter = "compartir"

    /// Whether a page offers to share a video that was just published.
    static func isShared(_ request: Request) -> Bool { PageRequest.value(of: shareParameter, in: request) != nil }

    static func upload(_ id: OpaqueID, isShared: Bool) -> String {
        isShared ? "\(upload(id))?\(shareParameter)=1" : upload(id)
    }

    static func video(_ id: OpaqueID, isShared: Bool) -> String {
        isShared ? "\(video(id))?\(shareParameter)=1" : video(id)
    }

    static func upload(_ id: OpaqueID, _ action: String? = nil) -> String {
        "\(upload)/\(id)\(action.map { "/\($0)" } ?? "")"
    }

    static func video(_ id: OpaqueID, _ action: String? = nil) -> String {
        "\(ResourcePaths.page(ofVideo: id))\(action.map { "/\($0)" } ?? "")"
    }

    static func embedding(_ id: OpaqueID) -> String { "\(embedding)\(id)" }

    /// The feed of the page of a list or a member.
    static func feed(ofListAt path: String) -> String {
        path == list ? "\(ResourcePaths.community)/\(feedFile)" : "\(path)/\(feedFile)"
    }

    /// The query of a list's or feed's path for a part of it; empty for all of it.
    ///
    /// - Parameter words: what the visitor looks for.
    static func query(_ scope: VideoQuery.Scope, _ words: String?) -> String {
        var parts = words.map { ["q=\(SitePage.queryComponent($0))"] } ?? []
        if case .competition(let id, let day) = scope {
            parts.append("competition=\(id)")
            if let day { parts.append("day=\(day)") }
        }
        return parts.isEmpty ? "" : "?\(parts.joined(separator: "&"))"
    }

    static func comment(_ id: OpaqueID, _ action: String) -> String { "\(comments)\(id)/\(action)" }

    static func member(_ name: String, _ action: String? = nil) -> String {
        "\(members)\(PathEncoding.component(name))\(action.map { "/\($0)" } ?? "")"
    }
}
