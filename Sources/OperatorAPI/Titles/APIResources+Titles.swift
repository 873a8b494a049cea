import Catalogue
import HLSDelivery
import HTTPEndpoints
import JSONDocument

extension APIResources {
    /// The JSON of a title, with the state of its encryption.
    ///
    /// - Parameter keys: the keys of encrypted titles; `nil` if titles cannot be encrypted.
    static func title(_ title: TitleRecord, keys: TitleKeys?) -> JSONText {
        var title = title
        // The title is ready but cannot be played.
        if let problem = keys?.problem(ofTitle: title.id) { title.error = problem }
        return self.title(title, isEncrypted: keys?.isEncrypted(title: title.id))
    }

    /// The tag of a title, which changes with everything that the API says about it.
    ///
    /// - Parameters:
    ///   - title: the title's record.
    ///   - keys: the keys of encrypted titles; `nil` if titles cannot be encrypted.
    static func tag(of title: TitleRecord, keys: TitleKeys?) -> EntityTag {
        EntityTag(of: self.title(title, keys: keys))
    }
}
