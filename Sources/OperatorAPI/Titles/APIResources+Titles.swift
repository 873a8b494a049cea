import Catalogue
import HLSDelivery
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
}
