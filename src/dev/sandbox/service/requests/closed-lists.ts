/** The closed lists of the profile `current`, stated independently of those in the bridge's tables. */

// biome-ignore format: a list of words reads better as a paragraph
export const doseForms = [
  'aerosol', 'bar', 'bead', 'breadstick', 'bulk', 'capsule', 'catheter', 'cement', 'cigarette', 'cloth',
  'concentrate', 'cone', 'cream', 'crystal', 'culture', 'dentifrice', 'deposit', 'device', 'diaphragm', 'disc',
  'douche', 'dressing', 'drops', 'elixir', 'emulsion', 'enema', 'extract', 'film', 'food', 'foam', 'gel',
  'generator', 'globule', 'graft', 'gum', 'implant', 'infusion', 'inhalant', 'inhalation', 'inhaler', 'injectable',
  'injection', 'insert', 'irrigant', 'irrigation', 'jelly', 'kit', 'lens', 'liner', 'liniment', 'lipstick',
  'liquid', 'lollipop', 'lotion', 'lozenge', 'miscellaneous', 'mouthwash', 'mucilage', 'oil', 'ointment', 'packing',
  'paste', 'pastille', 'patch', 'pellet', 'pill', 'plaster', 'poultice', 'powder', 'resin', 'ring', 'rinse', 'rod',
  'salve', 'shampoo', 'soap', 'sol', 'solution', 'sponge', 'spray', 'stick', 'strip', 'suppository', 'suspension',
  'suture', 'swab', 'syrup', 'tablet', 'tampon', 'tape', 'tea', 'test', 'tincture', 'troche', 'vaginal_suppository',
  'vaginal_tablet', 'wafer', 'wash', 'wax',
] as const;

// biome-ignore format: a list of words reads better as a paragraph
export const routes = [
  'auricular (otic)', 'otic', 'buccal', 'conjunctival', 'cutaneous', 'dental', 'electro-osmosis', 'endocervical',
  'endosinusial', 'endotracheal', 'enteral', 'epidural', 'extra-amniotic', 'extracorporeal', 'hemodialysis',
  'infiltration', 'interstitial', 'intra-abdominal', 'intra-amniotic', 'intra-arterial', 'intra-articular',
  'intrabiliary', 'intrabronchial', 'intrabursal', 'intracameral', 'intracanalicular', 'intracardiac',
  'intracartilaginous', 'intracaudal', 'intracavernous', 'intracavitary', 'intracerebral', 'intracisternal',
  'intracorneal', 'intracoronal, dental', 'intracoronary', 'intracorporus cavernosum', 'intracranial',
  'intradermal', 'intradiscal', 'intraductal', 'intraduodenal', 'intradural', 'intraepicardial', 'intraepidermal',
  'intraesophageal', 'intragastric', 'intragingival', 'intrahepatic', 'intraileal', 'intralesional', 'intralingual',
  'intraluminal', 'intralymphatic', 'intramammary', 'intramedullary', 'intrameningeal', 'intramuscular',
  'intranodal', 'intraocular', 'intraomentum', 'intraovarian', 'intrapericardial', 'intraperitoneal',
  'intrapleural', 'intraprostatic', 'intrapulmonary', 'intraruminal', 'intrasinal', 'intraspinal', 'intrasynovial',
  'intratendinous', 'intratesticular', 'intrathecal', 'intrathoracic', 'intratubular', 'intratumor',
  'intratympanic', 'intrauterine', 'intravascular', 'intravenous', 'intraventricular', 'intravesical',
  'intravitreal', 'iontophoresis', 'irrigation', 'laryngeal', 'nasal', 'nasogastric', 'not applicable',
  'occlusive dressing technique', 'ophthalmic', 'oral', 'oropharyngeal', 'parenteral', 'percutaneous',
  'periarticular', 'peridural', 'perineural', 'periodontal', 'rectal', 'respiratory (inhalation)', 'inhalation',
  'retrobulbar', 'soft tissue', 'subarachnoid', 'subconjunctival', 'subcutaneous', 'subgingival', 'sublingual',
  'submucosal', 'subretinal', 'suprachoroidal', 'topical', 'transdermal', 'transendocardial', 'transmucosal',
  'transplacental', 'transtracheal', 'transtympanic', 'ureteral', 'urethral', 'vaginal',
] as const;
