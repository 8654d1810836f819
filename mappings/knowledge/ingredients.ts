const ofOneWord: readonly string[] = (
  'abacavir abatacept abemaciclib abiraterone acalabrutinib acarbose acebutolol acetaminophen acetazolamide ' +
  'acitretin acyclovir adalimumab adapalene afatinib aflibercept albuterol alendronate alfuzosin alirocumab ' +
  'aliskiren allopurinol almotriptan alogliptin alosetron alprazolam amantadine amikacin amiloride amiodarone ' +
  'amitriptyline amlodipine amoxapine amoxicillin amphetamine ampicillin anagrelide anakinra anastrozole ' +
  'apixaban apremilast aprepitant aripiprazole armodafinil asenapine aspirin atazanavir atenolol atomoxetine ' +
  'atorvastatin atovaquone azacitidine azathioprine azelastine azilsartan azithromycin aztreonam baclofen ' +
  'balsalazide baricitinib beclomethasone belimumab benazepril bendroflumethiazide benralizumab benzonatate ' +
  'benztropine betamethasone bethanechol bicalutamide bimatoprost bisoprolol bosentan bosutinib brexpiprazole ' +
  'brimonidine bromocriptine budesonide bumetanide buprenorphine bupropion buspirone busulfan butalbital ' +
  'cabergoline cabozantinib calcitonin calcitriol canagliflozin candesartan capecitabine captopril ' +
  'carbamazepine carbidopa cariprazine carisoprodol carvedilol cefaclor cefadroxil cefazolin cefdinir cefepime ' +
  'cefixime cefotaxime cefpodoxime cefprozil ceftazidime ceftriaxone cefuroxime celecoxib cephalexin cetirizine ' +
  'chlorambucil chlordiazepoxide chlorothiazide chlorpheniramine chlorpromazine chlorpropamide chlorthalidone ' +
  'cholestyramine ciclopirox cilostazol cimetidine cinacalcet ciprofloxacin citalopram clarithromycin ' +
  'clindamycin clobazam clobetasol clomiphene clomipramine clonazepam clonidine clopidogrel clorazepate ' +
  'clotrimazole clozapine cobicistat codeine colchicine colesevelam cyclobenzaprine cyclophosphamide ' +
  'cyclosporine cyproheptadine dabigatran dabrafenib dalfampridine dapagliflozin dapsone darifenacin darunavir ' +
  'dasatinib deferasirox deflazacort denosumab desipramine desloratadine desmopressin desonide desvenlafaxine ' +
  'deutetrabenazine dexamethasone dexlansoprazole dexmethylphenidate dextroamphetamine dextromethorphan ' +
  'diazepam diclofenac dicyclomine didanosine diflunisal digoxin dihydroergotamine diltiazem diphenhydramine ' +
  'dipyridamole disopyramide disulfiram divalproex docetaxel dofetilide dolutegravir donepezil dorzolamide ' +
  'doxazosin doxepin doxorubicin doxycycline dronedarone drospirenone dulaglutide duloxetine dupilumab ' +
  'dutasteride econazole edoxaban efavirenz eletriptan eltrombopag empagliflozin emtricitabine enalapril ' +
  'enoxaparin entacapone entecavir enzalutamide epinephrine eplerenone eprosartan erenumab ergocalciferol ' +
  'erlotinib ertugliflozin erythromycin escitalopram eslicarbazepine esomeprazole estazolam estradiol ' +
  'eszopiclone etanercept ethambutol ethosuximide etidronate etodolac etravirine everolimus evolocumab ' +
  'exemestane exenatide ezetimibe famciclovir famotidine febuxostat felbamate felodipine fenofibrate fentanyl ' +
  'fesoterodine fexofenadine fidaxomicin filgrastim finasteride fingolimod flavoxate flecainide fluconazole ' +
  'fludrocortisone flunisolide fluocinolone fluocinonide fluoxetine fluphenazine flurazepam flurbiprofen ' +
  'fluticasone fluvastatin fluvoxamine formoterol fosinopril frovatriptan fulvestrant furosemide gabapentin ' +
  'galantamine gefitinib gemfibrozil gentamicin glatiramer glimepiride glipizide glyburide glycopyrrolate ' +
  'golimumab granisetron griseofulvin guaifenesin guanfacine guselkumab halobetasol haloperidol heparin ' +
  'hydralazine hydrochlorothiazide hydrocodone hydrocortisone hydromorphone hydroxychloroquine hydroxyurea ' +
  'hydroxyzine hyoscyamine ibandronate ibrutinib ibuprofen iloperidone imatinib imipramine imiquimod indapamide ' +
  'indomethacin infliximab ipratropium irbesartan isoniazid isosorbide isotretinoin isradipine itraconazole ' +
  'ivabradine ivacaftor ivermectin ixekizumab ketoconazole ketoprofen ketorolac labetalol lacosamide lamivudine ' +
  'lamotrigine lansoprazole lapatinib latanoprost leflunomide lenalidomide lenvatinib letrozole leucovorin ' +
  'leuprolide levalbuterol levetiracetam levocetirizine levofloxacin levonorgestrel levothyroxine lidocaine ' +
  'linaclotide linagliptin linezolid liothyronine liraglutide lisdexamfetamine lisinopril lithium lixisenatide ' +
  'loperamide lopinavir loratadine lorazepam losartan lovastatin loxapine lurasidone macitentan maraviroc ' +
  'meclizine medroxyprogesterone mefloquine megestrol meloxicam melphalan memantine meperidine mepolizumab ' +
  'meprobamate mercaptopurine meropenem mesalamine metaxalone metformin methadone methazolamide methenamine ' +
  'methimazole methocarbamol methotrexate methyldopa methylphenidate methylprednisolone metoclopramide ' +
  'metolazone metoprolol metronidazole mexiletine micafungin midodrine milnacipran minocycline minoxidil ' +
  'mirabegron mirtazapine misoprostol modafinil moexipril molindone mometasone montelukast morphine ' +
  'moxifloxacin mupirocin mycophenolate nabumetone nadolol naloxone naltrexone naproxen naratriptan natalizumab ' +
  'nateglinide nebivolol nefazodone neomycin neratinib nevirapine niacin nicardipine nifedipine nilotinib ' +
  'nimodipine nintedanib nisoldipine nitazoxanide nitrofurantoin nitroglycerin nizatidine norethindrone ' +
  'nortriptyline nystatin ocrelizumab octreotide ofloxacin olanzapine olaparib olmesartan olodaterol ' +
  'olopatadine omalizumab omeprazole ondansetron orlistat oseltamivir osimertinib oxandrolone oxaprozin ' +
  'oxazepam oxcarbazepine oxybutynin oxycodone oxymorphone paclitaxel palbociclib paliperidone pantoprazole ' +
  'paroxetine pazopanib pegfilgrastim peginterferon penicillamine penicillin pentoxifylline perampanel ' +
  'perindopril perphenazine phenelzine phenobarbital phentermine phenytoin pilocarpine pimecrolimus pimozide ' +
  'pindolol pioglitazone pirfenidone piroxicam pitavastatin ponatinib posaconazole pramipexole prasugrel ' +
  'pravastatin praziquantel prazosin prednisolone prednisone pregabalin primaquine primidone probenecid ' +
  'prochlorperazine progesterone promethazine propafenone propranolol propylthiouracil protriptyline ' +
  'pyrazinamide pyridostigmine quetiapine quinapril quinidine rabeprazole raloxifene raltegravir ramelteon ' +
  'ramipril ranibizumab ranitidine ranolazine rasagiline regorafenib repaglinide ribavirin ribociclib rifabutin ' +
  'rifampin rifaximin rilpivirine riluzole rimegepant riociguat risankizumab risedronate risperidone ritonavir ' +
  'rituximab rivaroxaban rivastigmine rizatriptan roflumilast ropinirole rosuvastatin rotigotine rufinamide ' +
  'ruxolitinib sacubitril salmeterol sapropterin sarilumab saxagliptin secukinumab selegiline selexipag ' +
  'semaglutide sertraline sevelamer sildenafil silodosin simvastatin siponimod sirolimus sitagliptin sofosbuvir ' +
  'solifenacin somatropin sorafenib sotalol spironolactone sucralfate sulfamethoxazole sulfasalazine sulindac ' +
  'sumatriptan sunitinib suvorexant tacrolimus tadalafil tamoxifen tamsulosin tapentadol telmisartan temazepam ' +
  'temozolomide tenofovir terazosin terbinafine terbutaline teriflunomide teriparatide testosterone ' +
  'tetrabenazine tetracycline thalidomide theophylline thioridazine thiothixene tiagabine ticagrelor timolol ' +
  'tinidazole tiotropium tirzepatide tizanidine tobramycin tocilizumab tofacitinib tolcapone tolterodine ' +
  'tolvaptan topiramate toremifene torsemide tramadol trametinib trandolapril tranylcypromine trastuzumab ' +
  'travoprost trazodone treprostinil tretinoin triamcinolone triamterene triazolam trifluoperazine ' +
  'trihexyphenidyl trimethoprim trospium ubrogepant umeclidinium upadacitinib ursodiol ustekinumab valacyclovir ' +
  'valganciclovir valproate valsartan vancomycin vardenafil varenicline vedolizumab vemurafenib venetoclax ' +
  'venlafaxine verapamil vigabatrin vilanterol vilazodone vincristine voriconazole vortioxetine warfarin ' +
  'zafirlukast zaleplon zidovudine zileuton ziprasidone zolmitriptan zolpidem zonisamide'
).split(' ');

// Names of several words that are not one word with a salt. Without a row here, each word would raise a question.
const ofSeveralWords: readonly string[] = [
  'benzyl alcohol',
  'estrogens, conjugated (USP)',
  'ferric carboxymaltose',
  'ferric citrate',
  'ferric derisomaltose',
  'ferric maltol',
  'iron dextran',
  'iron sucrose',
  'isopropyl alcohol',
  'Neisseria meningitidis serogroup B recombinant LP2086 A05 protein variant antigen',
  'Neisseria meningitidis serogroup B recombinant LP2086 B01 protein variant antigen',
  'polysaccharide iron complex',
  'propoxyphene napsylate',
  'salicyloyl phytosphingosine',
  'sodium ferric gluconate complex',
  'sucroferric oxyhydroxide',
  'varicella-zoster virus vaccine live (Oka-Merck) strain',
];

// Names whose prefix is part of the name, as in the FDA's NDC directory (generic_name).
const withPrefix: readonly string[] = ['fam-trastuzumab deruxtecan-nxki', 'tbo-filgrastim', 'ziv-aflibercept'];

/**
 * Names whose salt or ester makes them another drug. By the US labels of fluticasone furoate (Arnuity, section 12.3)
 * and fluticasone propionate, their doses are not interchangeable. From general knowledge, not reviewed.
 */
export const ownEsters: readonly string[] = ['fluticasone furoate'];

/**
 * Nonproprietary names (USAN) of drugs that are often ordered in the US, spelled like RxNorm's ingredients (public
 * domain, NLM). A listed name is never a brand, so two listed names are two drugs. Nothing follows from a name that is
 * not listed. No clinician has reviewed the list.
 */
export const ingredientNames: readonly string[] = [...ofOneWord, ...ofSeveralWords, ...withPrefix];
