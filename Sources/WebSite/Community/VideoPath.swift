import APIContract
import Accounts
import HTTPEndpoints

/// The paths of the pages of published videos.
enum VideoPath {
    static let list = "\(ResourcePaths.community)/videos"
    static let feed = "\(ResourcePaths.community)/siguiendo"
    static let videos = ResourcePaths.videos
    static let members = "\(ResourcePaths.community)/miembro/"
    static let comments = "\(ResourcePaths.community)/comentario/"
    static let publish = "\(ResourcePaths.community)/publicar/"
    static let upload = "\(ResourcePaths.community)/subir"
    static let moderation = "/operator/moderacion"

    static let like = "me-gusta"
    static let comment = "comentar"
    static let report = "denunciar"
    static let takeBack = "retirar-denuncia"
    static let appeal = "recurrir"
    static let edit = "editar"
    static let withdraw = "retirar"
    static let delete = "borrar"
    static let approve = "aprobar"
    static let follow = "seguir"
    static let poster = "imagen"

    static func upload(_ id: OpaqueID, _ action: String? = nil) -> String {
        "\(upload)/\(id)\(action.map { "/\($0)" } ?? "")"
    }

    static func video(_ id: OpaqueID, _ action: String? = nil) -> String {
        "\(ResourcePaths.page(ofVideo: id))\(action.map { "/\($0)" } ?? "")"
    }

    static func comment(_ id: OpaqueID, _ action: String) -> String { "\(comments)\(id)/\(action)" }

    static func member(_ name: String, _ action: String? = nil) -> String {
        "\(members)\(PathEncoding.component(name))\(action.map { "/\($0)" } ?? "")"
    }
}
